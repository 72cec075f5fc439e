import type { Column } from '../../database/database-schema.ts'
import { base64Of, showBytes } from '../../util/bytes-text.ts'
import { isWellFormedText } from '../../util/well-formed-text.ts'
import type { Codecs, ColumnCodec, Held } from './column-codec.ts'

/** A value without its own form: a text as it is, bytes as a text that says so. */
export function showText(value: Held): string {
  return JSON.stringify(value instanceof Uint8Array ? showBytes(value) : String(value))
}

function holdText(value: unknown, { withNul, loose }: Column): string | undefined {
  if (typeof value === 'string') {
    const takesNul = withNul === true || loose !== undefined
    return (takesNul ? value.isWellFormed() : isWellFormedText(value)) ? value : undefined
  }
  return Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : undefined
}

const text: ColumnCodec = { takes: 'a text', plain: 'text', show: showText, hold: holdText }

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** With seconds, and without trailing zeros. Some products store durations as times: negative, and of many hours. */
function holdTime(value: unknown): string | undefined {
  const match =
    typeof value === 'string' ? /^(-?\d{2,3}:[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?$/.exec(value) : null
  if (match === null) return undefined
  const [, minutes = '', seconds = '00', fraction = ''] = match
  const digits = fraction.replace(/0+$/, '')
  return `${minutes}:${seconds}${digits === '' ? '' : `.${digits}`}`
}

/** Values that are shown as texts. */
export const textCodecs: Codecs<'string' | 'uuid' | 'time' | 'json' | 'binary' | 'other'> = {
  string: text,
  json: text,
  other: text,
  uuid: {
    ...text,
    takes: 'a UUID such as "018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f"',
    hold: (value) => (typeof value === 'string' && uuidForm.test(value) ? value.toLowerCase() : undefined),
  },
  time: { ...text, takes: 'a time such as "09:30:00"', hold: holdTime },
  binary: {
    takes: 'bytes in base64',
    plain: 'text',
    show: (value) => JSON.stringify(value instanceof Uint8Array ? base64Of(value) : String(value)),
    hold: (value) =>
      typeof value === 'string' &&
      value.replace(/=+$/, '').length % 4 !== 1 &&
      /^[A-Za-z0-9+/]*={0,2}$/.test(value)
        ? Buffer.from(value, 'base64')
        : undefined,
  },
}
