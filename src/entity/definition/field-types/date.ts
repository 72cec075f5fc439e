import { parseDate } from '../../../util/date-time-text.ts'
import { type FieldType, refuse } from './field-type.ts'

/** A day of the calendar. */
export const dateType: FieldType = {
  column: 'date',
  mayBeKey: true,
  written: { type: 'string', format: 'date' },
  encode(value) {
    const date = typeof value === 'string' ? parseDate(value) : undefined
    return date === undefined
      ? refuse('A day of the years 0001 to 9999, such as "2026-01-31",', value)
      : { value: date }
  },
  writeJson: (value) => JSON.stringify(String(value)),
}
