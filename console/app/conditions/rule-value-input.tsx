import { Autocomplete, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FilterValue, type FilterValueProps } from '../data/filter-value.tsx'
import { useMetadataKeys } from './metadata-keys.ts'
import {
  accountNamesFor,
  durations,
  kindOf,
  kindsFor,
  nameOf,
  type ValueKind,
  valueOfKind,
} from './rule-value.ts'

/** The value of a condition on records. Null has operators of its own. */
export function ComparedValue(props: FilterValueProps) {
  return <RuleValueInput kinds={['fixed', 'account', 'now']} {...props} />
}

/** The value that a field is set to. */
export function SetValue(props: FilterValueProps) {
  return <RuleValueInput kinds={['fixed', 'account', 'now', 'null']} {...props} />
}

interface RuleValueInputProps extends FilterValueProps {
  readonly kinds: readonly ValueKind[]
}

function RuleValueInput({ kinds, condition, field, onChange }: RuleValueInputProps) {
  const { t } = useTranslation('conditions')
  const { key, op, val } = condition
  const kind = kindOf(val)
  const isList = op === 'in' || op === 'not in'
  // Both ends of a range are written.
  const isOffered = op !== 'between'
  return (
    <>
      {isOffered ? (
        <NativeSelect
          size="xs"
          aria-label={t('kind', { field: key })}
          data={kindsFor(kinds, field, kind).map((value) => ({ value, label: t(`${value}`) }))}
          value={kind}
          onChange={(event) => onChange(valueOfKind(event.currentTarget.value as ValueKind, isList, field))}
        />
      ) : null}
      {kind === 'account' ? (
        <AccountValueInput
          field={field}
          isList={isList}
          value={nameOf(val)}
          onChange={(account) => onChange({ account })}
        />
      ) : null}
      {kind === 'now' ? (
        <Autocomplete
          size="xs"
          w={130}
          aria-label={t('nowValue')}
          data={[...durations]}
          filter={({ options }) => options}
          value={nameOf(val)}
          onChange={(now) => onChange({ now })}
        />
      ) : null}
      {kind === 'fixed' ? <FilterValue condition={condition} field={field} onChange={onChange} /> : null}
    </>
  )
}

interface AccountValueInputProps {
  readonly field: FilterValueProps['field']
  readonly isList: boolean
  readonly value: string
  readonly onChange: (name: string) => void
}

function AccountValueInput({ field, isList, value, onChange }: AccountValueInputProps) {
  const { t } = useTranslation('conditions')
  const keys = useMetadataKeys()
  return (
    <Autocomplete
      size="xs"
      aria-label={t('accountValue')}
      data={[...accountNamesFor(field, isList, keys)]}
      filter={({ options }) => options}
      maxDropdownHeight={240}
      value={value}
      onChange={onChange}
    />
  )
}
