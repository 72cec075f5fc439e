import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { ConditionRow } from './condition-row.tsx'
import { FilterValue, type FilterValueProps } from './filter-value.tsx'
import { type Condition, type Filters, isGroup } from './filters.ts'
import type { Field } from './tables.ts'

interface FilterBuilderProps {
  readonly fields: readonly Field[]
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
  /** What is said without any condition. */
  readonly emptyText?: string
  /** Enters the value of a condition; by default a value that does not change. */
  readonly Value?: ComponentType<FilterValueProps>
}

/** Conditions that must all hold, and groups of which any must hold. */
export function FilterBuilder({
  fields,
  filters,
  onChange,
  emptyText,
  Value = FilterValue,
}: FilterBuilderProps) {
  const { t } = useTranslation('data')
  const first: Condition = { key: fields[0]?.name ?? '', op: '==', val: '' }
  const replace = (place: number, ...parts: readonly Filters[number][]) =>
    onChange(filters.toSpliced(place, 1, ...parts))
  return (
    <Stack gap="xs">
      {filters.length === 0 ? <Text size="sm">{emptyText ?? t('filters.none')}</Text> : null}
      {filters.map((part, place) => {
        // Parts have no names of their own, and do not change places.
        const key = `${place}`
        if (isGroup(part)) {
          return (
            <Group key={key} gap="xs" align="stretch" wrap="nowrap">
              <OrGroup
                fields={fields}
                Value={Value}
                group={part}
                onChange={(group) => replace(place, ...(group.length === 0 ? [] : [group]))}
              />
            </Group>
          )
        }
        return (
          <ConditionRow
            key={key}
            fields={fields}
            Value={Value}
            condition={part}
            onChange={(condition) => replace(place, condition)}
            onRemove={() => replace(place)}
            onOr={() => replace(place, [part, first])}
          />
        )
      })}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...filters, first])}
        >
          {t('filters.add')}
        </Button>
      </Group>
    </Stack>
  )
}

interface OrGroupProps {
  readonly Value: ComponentType<FilterValueProps>
  readonly fields: readonly Field[]
  readonly group: readonly Condition[]
  readonly onChange: (group: readonly Condition[]) => void
}

function OrGroup({ fields, group, onChange, Value }: OrGroupProps) {
  const { t } = useTranslation('data')
  return (
    <Paper withBorder p="xs" component="fieldset" w="100%" m={0} miw={0}>
      <Text component="legend" size="xs" fw={600} px={4}>
        {t('filters.any')}
      </Text>
      <Stack gap="xs">
        {group.map((condition, place) => (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no names of their own, and do not change places
            key={place}
            fields={fields}
            Value={Value}
            condition={condition}
            onChange={(next) => onChange(group.toSpliced(place, 1, next))}
            onRemove={() => onChange(group.toSpliced(place, 1))}
          />
        ))}
        <Group>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...group, { key: fields[0]?.name ?? '', op: '==', val: '' }])}
          >
            {t('filters.or')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
