import { ActionIcon, Button, Group, Loader, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ComponentType, Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ChosenOperator,
  newCondition,
  operatorOf,
  operatorsFor,
  withField,
  withOperator,
} from './conditions.ts'
import { FieldSelect } from './field-select.tsx'
import { type FilterTable, keyInside } from './filter-path.ts'
import type { FilterValueProps } from './filter-value.tsx'
import {
  type AnyCondition,
  type Condition,
  caselessOperators,
  isRelated,
  type Operator,
  operators,
  quantifiers,
  type RelatedCondition,
} from './filters.ts'
import { isJson } from './show-value.ts'
import type { Field, Relation } from './tables.ts'
import { useFilterPath } from './use-filter-path.ts'

export interface ConditionRowProps {
  readonly table: FilterTable
  readonly condition: AnyCondition
  readonly onChange: (condition: AnyCondition) => void
  readonly onRemove: () => void
  /** Makes it a group of which any condition must hold; absent in one. */
  readonly onOr?: () => void
  /** Enters its value. */
  readonly Value: ComponentType<FilterValueProps>
  /** Whether conditions on related rows are offered. */
  readonly hasCollections: boolean
  /** Builds the conditions on related rows. */
  readonly renderRelated: (related: RelatedProps) => ReactNode
}

/** What conditions on related rows are built from. */
export interface RelatedProps {
  readonly condition: RelatedCondition
  /** Undefined if it is not known. */
  readonly relation: Relation | undefined
  readonly onChange: (condition: RelatedCondition) => void
}

/** What a condition is on, an operator and a value; below it, conditions on related rows. */
export function ConditionRow({ table, condition, onChange, onRemove, onOr, ...props }: ConditionRowProps) {
  const { t } = useTranslation('data')
  const { steps, inside, field, relation, awaited, error } = useFilterPath(table, condition.key)
  const leadsInside = inside !== undefined || (field !== undefined && isJson(field))
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        {steps.map((step) => (
          <Fragment key={step.before}>
            {step.of === undefined ? null : (
              <Text span c="dimmed" aria-hidden="true">
                ›
              </Text>
            )}
            <FieldSelect
              step={step}
              hasCollections={props.hasCollections}
              onField={(chosen) => onChange(withField(condition, chosen, step.before + chosen.name))}
              onReference={(name) => onChange(newCondition(`${step.before}${name}.`))}
              onCollection={(name) => onChange({ key: step.before + name, op: 'some', val: [] })}
            />
          </Fragment>
        ))}
        {awaited === undefined ? null : error === null ? (
          <Loader size="xs" aria-label={t('rows.reading')} role="status" />
        ) : (
          <Text size="sm" c="red" role="alert">
            {error.message}
          </Text>
        )}
        {isRelated(condition) ? (
          <QuantifierSelect condition={condition} onChange={onChange} />
        ) : awaited !== undefined && error === null ? null : (
          // What a value is depends on its field.
          <>
            {leadsInside ? (
              <TextInput
                size="xs"
                w={130}
                aria-label={t('filters.inside')}
                placeholder={t('filters.insideHint')}
                value={inside ?? ''}
                onChange={(event) =>
                  onChange({ ...condition, key: keyInside(condition.key, event.currentTarget.value) })
                }
              />
            ) : null}
            <Comparison
              field={inside === undefined ? field : undefined}
              condition={condition}
              onChange={onChange}
              Value={props.Value}
            />
          </>
        )}
        {onOr === undefined ? null : (
          <Button size="compact-sm" variant="default" onClick={onOr}>
            {t('filters.or')}
          </Button>
        )}
        <ActionIcon variant="subtle" color="gray" aria-label={t('filters.remove')} onClick={onRemove}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
      {isRelated(condition) ? props.renderRelated({ condition, relation, onChange }) : null}
    </Stack>
  )
}

interface ComparisonProps extends Pick<ConditionRowProps, 'Value'> {
  readonly field: Field | undefined
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
}

function Comparison({ field, condition, onChange, Value }: ComparisonProps) {
  const { t } = useTranslation('data')
  const operator = operatorOf(condition)
  const nameOf = (op: ChosenOperator) => {
    if (op === 'isNull' || op === 'isNotNull' || op === 'between') return t(`filters.${op}`)
    return caselessOperators.includes(op) ? t('filters.anyCase', { op: plainName(op) }) : op
  }
  return (
    <>
      <Select
        size="xs"
        w={170}
        aria-label={t('filters.operator')}
        allowDeselect={false}
        data={operatorsFor(field, operator).map((op) => ({ value: op, label: nameOf(op) }))}
        value={operator}
        onChange={(op) => {
          if (op !== null) onChange(withOperator(condition, op as ChosenOperator))
        }}
      />
      {operator === 'isNull' || operator === 'isNotNull' ? null : (
        <Value condition={condition} field={field} onChange={(val) => onChange({ ...condition, val })} />
      )}
    </>
  )
}

/** The operator that tells letters apart by their case. */
function plainName(caseless: Operator): Operator {
  return operators.find((op) => `i${op}` === caseless) ?? '=='
}

interface QuantifierSelectProps {
  readonly condition: RelatedCondition
  readonly onChange: (condition: RelatedCondition) => void
}

function QuantifierSelect({ condition, onChange }: QuantifierSelectProps) {
  const { t } = useTranslation('data')
  return (
    <Select
      size="xs"
      w={200}
      aria-label={t('filters.quantifier')}
      allowDeselect={false}
      data={quantifiers.map((op) => ({ value: op, label: t(`filters.quantifiers.${op}`) }))}
      value={condition.op}
      onChange={(chosen) => {
        const op = quantifiers.find((known) => known === chosen)
        if (op !== undefined) onChange({ ...condition, op })
      }}
    />
  )
}
