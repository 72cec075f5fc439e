import { ActionIcon, Badge, Box, Group, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconChevronRight, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { listAt, type PlacedField, textAt, valueAt } from '../definition/definition.ts'
import { countMistakes } from '../definition/mistakes.ts'
import { useDesign } from './design-context.ts'
import { FieldMembers } from './field-members.tsx'
import classes from './field-row.module.css'

interface FieldRowProps {
  readonly field: PlacedField
  readonly isOpen: boolean
  readonly isNew: boolean
  readonly onToggle: () => void
  /** Absent where fields cannot be removed. */
  readonly onRemove?: () => void
  /** Moves it by so many places; absent where fields have no order. */
  readonly onMove?: (by: number) => void
  readonly isFirst?: boolean
  readonly isLast?: boolean
}

/** A field in one line, which opens to everything that is said of it. */
export function FieldRow({
  field,
  isOpen,
  isNew,
  onToggle,
  onRemove,
  onMove,
  isFirst,
  isLast,
}: FieldRowProps) {
  const { t } = useTranslation('entities')
  const name = field.name === '' ? t('field.unnamed') : field.name
  return (
    <div className={classes.row}>
      <Group gap={4} wrap="nowrap" p={4}>
        <UnstyledButton className={classes.summary} onClick={onToggle} aria-expanded={isOpen}>
          <IconChevronRight
            size={16}
            style={{ rotate: isOpen ? '90deg' : '0deg', flexShrink: 0 }}
            aria-hidden
          />
          <Summary field={field} name={name} />
        </UnstyledButton>
        {onMove === undefined ? null : (
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              className={classes.action ?? ''}
              aria-label={t('field.moveUp', { name })}
              disabled={isFirst ?? false}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              className={classes.action ?? ''}
              aria-label={t('field.moveDown', { name })}
              disabled={isLast ?? false}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
          </>
        )}
        {onRemove === undefined ? null : (
          <ActionIcon
            variant="subtle"
            color="red.8"
            aria-label={t('field.remove', { name })}
            onClick={onRemove}
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Group>
      {isOpen ? (
        <Box px="md" pb="md" pt="xs">
          <FieldMembers field={field} isNew={isNew} />
        </Box>
      ) : null}
    </div>
  )
}

function Summary({
  field: { path, type, value, kind },
  name,
}: Pick<FieldRowProps, 'field'> & { name: string }) {
  const { t } = useTranslation('entities')
  const wrong = countMistakes(useDesign().mistakes, path)
  const has = (member: string, wanted: boolean) => valueAt(value, [member]) === wanted
  const choices = listAt(value, ['field_enum']).length
  const marks = [
    has('field_nullable', false) ? t('field.required') : '',
    has('field_unique', true) ? t('field.marks.unique') : '',
    has('field_immutable', true) ? t('field.marks.immutable') : '',
    has('field_persistence', false) ? t('field.notPersistent') : '',
    choices > 0 ? t('field.choices', { count: choices }) : '',
  ]
  return (
    <span className={classes.words}>
      <Text span fw={500} className={classes.clipped}>
        <bdi>{name}</bdi>
      </Text>
      <Text span size="sm" c="dimmed" className={classes.clipped}>
        {type}
        {kind === 'reference'
          ? ` → ${textAt(value, ['ref_class'])}.${textAt(value, ['ref_class_field'])}`
          : ''}
        {marks.filter((mark) => mark !== '').map((mark) => ` · ${mark}`)}
      </Text>
      {wrong === 0 ? null : (
        <Badge color="red.9" variant="filled" style={{ flexShrink: 0 }}>
          {t('field.mistakes', { count: wrong })}
        </Badge>
      )}
    </span>
  )
}
