import { Autocomplete, NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FilterValue, type FilterValueProps } from '../data/filter-value.tsx'
import { kindOf, nameOf, type ValueKind, valueOfKind } from './rule-value.ts'

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
  const { t } = useTranslation('roles')
  const { key, op, val } = condition
  const kind = kindOf(val)
  const isList = op === 'in' || op === 'not in'
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={t('conditions.kind', { field: key })}
        data={kinds.map((value) => ({ value, label: t(`conditions.${value}`) }))}
        value={kind}
        onChange={(event) => onChange(valueOfKind(event.currentTarget.value as ValueKind, isList))}
      />
      {kind === 'account' ? (
        <Autocomplete
          size="xs"
          aria-label={t('conditions.accountValue')}
          data={['username', 'roles', 'metadata.']}
          filter={({ options }) => options}
          value={nameOf(val)}
          onChange={(account) => onChange({ account })}
        />
      ) : null}
      {kind === 'now' ? (
        <TextInput
          size="xs"
          w={110}
          aria-label={t('conditions.nowValue')}
          value={nameOf(val)}
          onChange={(event) => onChange({ now: event.currentTarget.value })}
        />
      ) : null}
      {kind === 'fixed' ? <FilterValue condition={condition} field={field} onChange={onChange} /> : null}
    </>
  )
}
