import { parseDateTime, showDateTime } from '../../../util/date-time-text.ts'
import { type FieldType, refuse } from './field-type.ts'

/** A timestamp in UTC, to the microsecond. */
export const dateTimeType: FieldType = {
  column: 'dateTime',
  mayBeKey: true,
  written: {
    type: 'string',
    format: 'date-time-local',
    description: 'A moment in UTC, without an offset.',
    examples: ['2026-01-31T09:30:00'],
  },
  taken: {
    type: 'string',
    description: 'A moment; in UTC where no offset is given.',
    examples: ['2026-01-31T09:30:00', '2026-01-31T10:30:00.5+01:00'],
  },
  encode(value) {
    const timestamp = typeof value === 'string' ? parseDateTime(value) : undefined
    return timestamp === undefined
      ? refuse(
          'A date and time of the years 0001 to 9999 with at most 6 digits after the second, such as "2026-01-31T09:30:00" (UTC) or "2026-01-31T10:30:00.5+01:00",',
          value,
        )
      : { value: timestamp }
  },
  writeJson: (value) => JSON.stringify(showDateTime(String(value))),
}
