import type { OptionType, PartsReading } from './option-types.ts'
import { quote } from './quote.ts'

/** Origins as browsers write them: separated by commas, or a list in a file. Blanks around them do not count. */
export const webOrigins: OptionType<readonly string[]> = {
  takes: 'origins separated by commas, such as https://app.example.org or http://localhost:5173',
  placeholder: 'ORIGIN,ORIGIN',
  parts: 'texts',
  show: (origins) => origins.join(', '),
  parse: (raw) => {
    const reading = readOrigins(raw)
    return 'value' in reading ? reading.value : undefined
  },
  readParts: readOrigins,
}

function readOrigins(raw: string): PartsReading<readonly string[]> {
  const origins = listIn(raw).map((origin) => origin.trim())
  const mistakes = origins.flatMap((origin) => mistakeIn(origin) ?? [])
  return mistakes.length === 0 ? { value: [...new Set(origins)] } : { mistakes }
}

/** A list of a file arrives as JSON text. */
function listIn(raw: string): readonly string[] {
  if (!raw.startsWith('[')) return raw.split(',')
  try {
    const list: unknown = JSON.parse(raw)
    return Array.isArray(list) && list.length > 0 ? list.map(String) : [raw]
  } catch {
    return [raw]
  }
}

/** https://www.rfc-editor.org/rfc/rfc6454#section-6.2 */
function mistakeIn(origin: string): string | undefined {
  if (origin === 'null') {
    return ': takes no “null”, which is the origin of any page in a sandbox and of any local file'
  }
  if (origin.includes('*')) {
    return `: takes exact origins without patterns, not ${quote(origin)}; list each one, such as https://app.example.org`
  }
  const address = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+/i.test(origin) ? URL.parse(origin) : null
  if (address === null) {
    return `: takes ${webOrigins.takes}, not ${quote(origin)}`
  }
  const exact = address.origin === 'null' ? `${address.protocol}//${address.host}` : address.origin
  return exact === origin ? undefined : `: takes ${quote(exact)} in place of ${quote(origin)}`
}
