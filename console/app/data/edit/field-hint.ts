import { useTranslation } from 'react-i18next'
import { textOfValue } from '../conditions.ts'
import type { Field } from '../tables.ts'
import { type Entered, inputKindOf } from './entered.ts'

interface FieldHint {
  readonly label: string
  /** What the definition says of the field. */
  readonly description: string
  /** What is meant while the input is empty. */
  readonly placeholder: string
  /** Whether the gateway asks for a value. */
  readonly isRequired: boolean
}

/** What people see about a field beside its input. */
export function useFieldHint(field: Field, value: Entered, isOptional: boolean): FieldHint {
  const { t } = useTranslation('data')
  const { name, entity_type: own, native_type: native, unique, immutable, comment, nullable } = field
  const isFilled = field.default !== undefined || field.has_database_default === true
  const facts = [
    own ?? native,
    ...(unique ? [t('edit.unique')] : []),
    ...(immutable ? [t('edit.immutable')] : []),
    ...(comment === undefined ? [] : [comment]),
  ]
  const absent = () => {
    const preset = field.default
    if (preset !== undefined) {
      return 'made' in preset
        ? t(`edit.made.${preset.made}`)
        : t('edit.preset', { value: textOfValue(preset.value) || JSON.stringify(preset.value) })
    }
    if (field.has_database_default) return t('edit.filled')
    return nullable ? t('edit.absentNull') : ''
  }
  return {
    label: name,
    description: facts.join(' · '),
    placeholder:
      value === null ? t('value.null') : value === undefined ? (isOptional ? absent() : '') : emptyHint(),
    isRequired: isOptional && !nullable && !isFilled,
  }

  function emptyHint(): string {
    return ['text', 'longText'].includes(inputKindOf(field)) ? t('edit.emptyText') : ''
  }
}
