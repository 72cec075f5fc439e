import { Button, Group, MultiSelect, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { labelIn, optionOf } from '../field-label.ts'
import type { Table } from '../tables.ts'
import { isGroupable, unitsOf } from './total-functions.ts'
import { type GroupTerm, isEmptyChoice, type TotalsChoice } from './totals-choice.ts'

interface TotalsFormProps {
  readonly table: Pick<Table, 'fields'>
  readonly choice: TotalsChoice
  readonly onChoice: (choice: TotalsChoice) => void
}

/** More would be too wide to be read. */
const mostColumns = 10
/** More groups of groups than anybody reads. */
const mostTerms = 5

/** Chooses columns and what rows are grouped by. */
export function TotalsForm({ table: { fields }, choice, onChoice }: TotalsFormProps) {
  const { t } = useTranslation('totals')
  const [draft, setDraft] = useState(choice)
  const timed = draft.by.map((term) => ({ term, units: unitsOfField(fields, term.field) }))
  const setTerm = (term: GroupTerm) =>
    setDraft({ ...draft, by: draft.by.map((one) => (one.field === term.field ? term : one)) })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmptyChoice(draft)) onChoice(draft)
      }}
    >
      <Group gap="sm" align="flex-end">
        <MultiSelect
          size="xs"
          w={300}
          maw="100%"
          label={t('columns')}
          searchable
          limit={100}
          maxValues={mostColumns}
          data={fields.map(optionOf)}
          value={[...draft.columns]}
          onChange={(columns) => setDraft({ ...draft, columns })}
        />
        <MultiSelect
          size="xs"
          w={300}
          maw="100%"
          label={t('by')}
          searchable
          limit={100}
          maxValues={mostTerms}
          data={fields.filter(isGroupable).map(optionOf)}
          value={draft.by.map(({ field }) => field)}
          onChange={(names) =>
            setDraft({ ...draft, by: names.map((name) => termFor(name, draft.by, fields)) })
          }
        />
        {timed.map(({ term, units }) =>
          units.length === 0 ? null : (
            <NativeSelect
              key={term.field}
              size="xs"
              label={t('every', { field: labelIn(fields, term.field) })}
              value={term.every ?? ''}
              data={[
                { value: '', label: t('units.value') },
                ...units.map((unit) => ({ value: unit, label: t(`units.${unit}`) })),
              ]}
              onChange={({ currentTarget: { value } }) => {
                const every = units.find((unit) => unit === value)
                setTerm({ field: term.field, ...(every === undefined ? {} : { every }) })
              }}
            />
          ),
        )}
        <Button type="submit" size="xs" disabled={isEmptyChoice(draft)}>
          {t('compute')}
        </Button>
      </Group>
    </form>
  )
}

/** The term as it was chosen before, or a new one: times are grouped by months at first. */
function termFor(name: string, chosen: readonly GroupTerm[], fields: Table['fields']): GroupTerm {
  const known = chosen.find(({ field }) => field === name)
  if (known !== undefined) return known
  return { field: name, ...(unitsOfField(fields, name).length === 0 ? {} : { every: 'MONTH' }) }
}

function unitsOfField(fields: Table['fields'], name: string) {
  const field = fields.find((one) => one.name === name)
  return field === undefined ? [] : unitsOf(field)
}
