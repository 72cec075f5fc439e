import { Group, Text, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownNameOf } from './columns.ts'
import classes from './data.module.css'
import { ReferenceLink } from './grid-row.tsx'
import type { Row } from './rows.ts'
import { showValue } from './show-value.ts'
import type { Field, Table } from './tables.ts'
import { ShownText } from './value-cell.tsx'

interface RecordFieldsProps {
  readonly table: Table
  readonly row: Row
}

/** All fields of a record with their whole values, and where its references lead. */
export function RecordFields({ table, row }: RecordFieldsProps) {
  return (
    <dl className={classes.fields}>
      {table.fields.map((field) => (
        <div key={field.name}>
          <FieldName field={field} />
          <dd>
            <Group gap={4} wrap="nowrap" align="flex-start">
              <WholeText value={row.values[field.name]} field={field} />
              {table.references
                .filter(({ fields }) => fields.at(-1)?.own === field.name)
                .map((reference) => (
                  <ReferenceLink key={reference.name} reference={reference} row={row} isReachable />
                ))}
            </Group>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function FieldName({ field }: { readonly field: Field }) {
  const { t } = useTranslation('data')
  const { name, native_type: type, entity_type: entityType, comment } = field
  const own = ownNameOf(field)
  return (
    <dt>
      <Text span size="sm" fw={600}>
        {name}
      </Text>
      {own === undefined ? null : (
        <Text span size="sm" ml={6}>
          <bdi>{own}</bdi>
        </Text>
      )}
      <Tooltip label={type} disabled={entityType === undefined || entityType === type}>
        <Text span size="xs" c="dimmed" ml={6}>
          {entityType ?? type}
        </Text>
      </Tooltip>
      {field.read_only ? (
        <Text span size="xs" c="dimmed" ml={6}>
          {t('record.readOnly')}
        </Text>
      ) : null}
      {comment === undefined ? null : (
        <Text size="xs" c="dimmed">
          {comment}
        </Text>
      )}
    </dt>
  )
}

function WholeText({ value, field }: { readonly value: unknown; readonly field: Field }) {
  const shown = showValue(value, field)
  const full = 'full' in shown && shown.kind !== 'bytes' ? shown.full : undefined
  if (full === undefined) {
    return (
      <Text span size="sm">
        <ShownText shown={shown} />
      </Text>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard.
    <pre className={classes.longValue} tabIndex={0}>
      {full}
    </pre>
  )
}
