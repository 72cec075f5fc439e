import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Definition,
  fieldsOf,
  type FieldList as ListName,
  listAt,
  pathOfList,
} from '../definition/definition.ts'
import { withField, withMovedField, withoutField } from '../definition/edit-definition.ts'
import { useDesign } from './design-context.ts'
import { FieldRow } from './field-row.tsx'

interface FieldListProps {
  readonly list: ListName
}

const emptyFields: Readonly<Record<ListName, Definition>> = {
  local_fields: {
    field_name: '',
    field_type: 'string',
    field_persistence: true,
    field_nullable: true,
    field_immutable: false,
    field_unique: false,
  },
  ref_fields: {
    field_name: '',
    field_type: 'string',
    field_persistence: true,
    field_unique: false,
    ref_class: '',
    ref_class_field: '',
  },
}

/** The local fields or the references of the definition: they can be opened, added, moved and removed. */
export function FieldList({ list }: FieldListProps) {
  const { t } = useTranslation('entities')
  const { definition, isReadOnly, change } = useDesign()
  const [open, setOpen] = useState<number>()
  const [added, setAdded] = useState<number>()
  const kind = list === 'local_fields' ? 'local' : 'reference'
  const fields = fieldsOf(definition).filter((field) => field.kind === kind)
  const add = () => {
    setOpen(fields.length)
    setAdded(fields.length)
    change(pathOfList(list), (old) => withField(old, list, emptyFields[list]))
  }
  const move = (from: number, to: number) => {
    change('moved', (old) => withMovedField(old, list, from, to))
    if (open === from) setOpen(to)
    else if (open === to) setOpen(from)
  }
  const remove = (index: number) => {
    change('moved', (old) => withoutField(old, list, index))
    setOpen(undefined)
  }
  return (
    <Stack gap="xs" component="section" aria-label={t(`design.${list}`)}>
      <Title order={2} size="h4">
        {t(`design.${list}`)}
      </Title>
      {fields.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t(`design.${list}None`)}
        </Text>
      ) : (
        <Paper withBorder>
          {fields.map((field, index) => (
            <FieldRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a field has no other identity while its name is typed.
              key={index}
              field={field}
              isOpen={open === index}
              isNew={added === index}
              onToggle={() => setOpen(open === index ? undefined : index)}
              {...(isReadOnly
                ? {}
                : {
                    onRemove: () => remove(index),
                    onMove: (by: number) => move(index, index + by),
                  })}
              isFirst={index === 0}
              isLast={index === listAt(definition, pathOfList(list)).length - 1}
            />
          ))}
        </Paper>
      )}
      {isReadOnly ? null : (
        <Group>
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
            {t(`design.${list}Add`)}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
