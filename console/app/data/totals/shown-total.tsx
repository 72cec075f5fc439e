import { useTranslation } from 'react-i18next'
import { showValue } from '../show-value.ts'
import type { Field } from '../tables.ts'
import { ShownText } from '../value-cell.tsx'
import { averageText, numberText } from './number-text.ts'
import type { TotalFunction } from './total-functions.ts'

interface ShownTotalProps {
  readonly field: Field
  readonly fn: TotalFunction
  readonly value: unknown
}

/** What was computed of a column; nothing if it has no value. */
export function ShownTotal({ field, fn, value }: ShownTotalProps) {
  const { t, i18n } = useTranslation('totals')
  if (value === null || value === undefined) return <>{t('none')}</>
  if (fn === 'avg') return <>{averageText(value, i18n.language)}</>
  const shown = showValue(value, field)
  if (shown.kind === 'number' || fn === 'count' || fn === 'countDistinct')
    return <>{numberText(value, i18n.language)}</>
  return <ShownText shown={shown} />
}
