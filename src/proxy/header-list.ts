/** A header as written, with the spelling for comparisons. */
export interface Header {
  readonly name: string
  readonly value: string
  /** See `spellingOf`. */
  readonly spelling: string
}

/** Headers in their order; a name may come several times. */
export type HeaderList = readonly Header[]

/** The headers of a message of Node.js. */
export function headerListOf(rawHeaders: readonly string[]): HeaderList {
  const headers: Header[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    headers.push({ name, value: rawHeaders[index + 1] ?? '', spelling: spellingOf(name) })
  }
  return headers
}

/** The same in the form of Node.js: names and values in turn. */
export function rawHeadersOf(headers: HeaderList): string[] {
  const rawHeaders: string[] = []
  for (const { name, value } of headers) rawHeaders.push(name, value)
  return rawHeaders
}

/** Returns a function that makes headers of one name. To be called once for a name. */
export function headerNamed(name: string): (value: string) => Header {
  const spelling = spellingOf(name)
  return (value) => ({ name, value, spelling })
}

/**
 * The one spelling of a header name. Servers that pass headers on as variables treat `X-User`, `x_user` and `X.User`
 * alike: forbidden headers must be compared in this form.
 */
export function spellingOf(name: string): string {
  const spelling = name.toLowerCase()
  // Nearly every name has this form already.
  return usualSpelling.test(spelling) ? spelling : spelling.replaceAll(/[^a-z0-9]/g, '-')
}

const usualSpelling = /^[a-z0-9-]*$/

/** The value of a header; the first one if there are several. */
export function headerValue(headers: HeaderList, wanted: string): string | undefined {
  return headers.find(({ spelling, name }) => spelling === wanted && name.toLowerCase() === wanted)?.value
}

/** The values of a list header, from all its lines. */
export function listValues(headers: HeaderList, wanted: string): readonly string[] {
  const values: string[] = []
  for (const { name, value, spelling } of headers) {
    // Only the exact name: `Cache_Control` is another header.
    if (spelling === wanted && name.toLowerCase() === wanted) {
      values.push(...membersOf(value))
    }
  }
  return values
}

/** The members of a list in a header: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1 */
export function membersOf(value: string): readonly string[] {
  return value
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
}
