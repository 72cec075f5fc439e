import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { ConditionRow, type ConditionRowProps, type RelatedProps } from './condition-row.tsx'
import { newCondition } from './conditions.ts'
import type { FilterTable } from './filter-path.ts'
import { FilterValue, type FilterValueProps } from './filter-value.tsx'
import { type AnyCondition, type Filters, isGroup } from './filters.ts'
import { RelatedConditions } from './related-conditions.tsx'

interface FilterBuilderProps {
  /** What conditions may name. */
  readonly table: FilterTable
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
  /** What is said without any condition. */
  readonly emptyText?: string
  /** Enters the value of a condition; by default a value that does not change. */
  readonly Value?: ComponentType<FilterValueProps>
  /** How many conditions on related rows it is inside of. */
  readonly depth?: number
}

/** Deeper conditions have no place on a screen; they can be written as text. */
const mostDepth = 3

/** Conditions that must all hold, and groups of which any must hold. */
export function FilterBuilder(props: FilterBuilderProps) {
  const { t } = useTranslation('data')
  const { table, filters, onChange, emptyText, Value = FilterValue, depth = 0 } = props
  const first = newCondition(table.fields[0]?.name ?? '')
  const replace = (place: number, ...parts: readonly Filters[number][]) =>
    onChange(filters.toSpliced(place, 1, ...parts))
  const shared = {
    table,
    Value,
    hasCollections: depth < mostDepth,
    renderRelated: (related: RelatedProps) => <RelatedBuilder {...related} Value={Value} depth={depth + 1} />,
  }
  return (
    <Stack gap="xs">
      {filters.length === 0 ? <Text size="sm">{emptyText ?? t('filters.none')}</Text> : null}
      {filters.map((part, place) => {
        // Parts have no names of their own, and do not change places.
        const key = `${place}`
        if (isGroup(part)) {
          return (
            <OrGroup
              key={key}
              {...shared}
              group={part}
              onChange={(group) => replace(place, ...(group.length === 0 ? [] : [group]))}
            />
          )
        }
        return (
          <ConditionRow
            key={key}
            {...shared}
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

type SharedProps = Pick<ConditionRowProps, 'table' | 'Value' | 'hasCollections' | 'renderRelated'>

interface RelatedBuilderProps extends RelatedProps {
  readonly Value: ComponentType<FilterValueProps>
  readonly depth: number
}

/** What the rows at the other end of a relation must meet, in a frame. */
function RelatedBuilder({ condition, relation, onChange, ...props }: RelatedBuilderProps) {
  const { t } = useTranslation('data')
  return (
    <RelatedConditions relation={relation}>
      {(table) => (
        <FilterBuilder
          {...props}
          table={table}
          filters={condition.val}
          emptyText={t('filters.anyRow')}
          onChange={(val) => onChange({ ...condition, val })}
        />
      )}
    </RelatedConditions>
  )
}

interface OrGroupProps extends SharedProps {
  readonly group: readonly AnyCondition[]
  readonly onChange: (group: readonly AnyCondition[]) => void
}

function OrGroup({ group, onChange, ...shared }: OrGroupProps) {
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
            {...shared}
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
            onClick={() => onChange([...group, newCondition(shared.table.fields[0]?.name ?? '')])}
          >
            {t('filters.or')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
