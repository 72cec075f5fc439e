import { useTranslation } from 'react-i18next'
import { type RecordConditions, textOfRows } from './record-conditions.ts'

/** Tells the conditions of an authority in one line; undefined if it has none. */
export function useConditionsText(): (conditions: RecordConditions) => string | undefined {
  const { t } = useTranslation('components')
  const joints = { and: ` ${t('conditions.and')} `, or: ` ${t('conditions.or')} ` }
  const names = (some: readonly string[]) => some.join(', ') || t('conditions.nothing')
  return ({ rows, fields, set }) => {
    const parts = [
      ...(rows === undefined || rows.length === 0
        ? []
        : [t('conditions.rows', { rows: textOfRows(rows, joints) })]),
      ...(fields?.read === undefined ? [] : [t('conditions.read', { names: names(fields.read) })]),
      ...(fields?.write === undefined ? [] : [t('conditions.write', { names: names(fields.write) })]),
      ...(set === undefined ? [] : [t('conditions.set', { names: names(Object.keys(set)) })]),
    ]
    if (parts.length > 0) return parts.join('; ')
    return rows === undefined && fields === undefined ? undefined : t('conditions.records')
  }
}
