import type { AccessFailure } from '../../access-failure.ts'

/** Result codes: https://www.sqlite.org/rescode.html */
const ofCode: Readonly<Record<number, AccessFailure>> = {
  5: 'locked',
  6: 'locked',
  8: 'readOnly',
  11: 'notADatabase',
  13: 'full',
  14: 'cannotOpenFile',
  26: 'notADatabase',
}

/** Why the file cannot be used, from SQLite's result code; undefined if it is about something else. */
export function accessFailureOf(code: number): AccessFailure | undefined {
  return ofCode[code] ?? ofCode[code & 0xff]
}
