import { useTranslation } from 'react-i18next'
import { type RecordConditions, textOfRows } from './record-conditions.ts'

/** Tells a composite filter in one line. */
export function useRowsText(): (rows: readonly unknown[]) => string {
  const { t } = useTranslation('components')
  const joints = { and: ` ${t('conditions.and')} `, or: ` ${t('conditions.or')} ` }
  return (rows) => textOfRows(rows, joints)
}

/** Tells names of fields in one line. */
export function useNamesText(): (names: readonly string[]) => string {
  const { t } = useTranslation('components')
  return (names) => names.join(', ') || t('conditions.nothing')
}

/** Tells the conditions of an authority in one line; undefined if it has none. */
export function useConditionsText(): (conditions: RecordConditions) => string | undefined {
  const { t } = useTranslation('components')
  const textOf = useRowsText()
  const names = useNamesText()
  return ({ rows, fields, set }) => {
    const parts = [
      ...(rows === undefined || rows.length === 0 ? [] : [t('conditions.rows', { rows: textOf(rows) })]),
      ...(fields?.read === undefined ? [] : [t('conditions.read', { names: names(fields.read) })]),
      ...(fields?.write === undefined ? [] : [t('conditions.write', { names: names(fields.write) })]),
      ...(set === undefined ? [] : [t('conditions.set', { names: names(Object.keys(set)) })]),
    ]
    if (parts.length > 0) return parts.join('; ')
    return rows === undefined && fields === undefined ? undefined : t('conditions.records')
  }
}
