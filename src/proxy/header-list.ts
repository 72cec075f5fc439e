/** A header as it was written, and as it is looked for. */
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

/** The same as Node.js takes them: names and values in turn. */
export function rawHeadersOf(headers: HeaderList): string[] {
  const rawHeaders: string[] = []
  for (const { name, value } of headers) rawHeaders.push(name, value)
  return rawHeaders
}

/** Gives headers of one name. To be called once for a name. */
export function headerNamed(name: string): (value: string) => Header {
  const spelling = spellingOf(name)
  return (value) => ({ name, value, spelling })
}

/**
 * The one spelling of a header name. Servers that hand headers on as variables make the same of `X-User`,
 * `x_user` and `X.User`: what must not arrive has to be looked for in this form.
 */
export function spellingOf(name: string): string {
  const spelling = name.toLowerCase()
  // Nearly every name is written so already.
  return usualSpelling.test(spelling) ? spelling : spelling.replaceAll(/[^a-z0-9]/g, '-')
}

const usualSpelling = /^[a-z0-9-]*$/

/** The value of a header that is there once; the first one where there are several. */
export function headerValue(headers: HeaderList, wanted: string): string | undefined {
  return headers.find(({ spelling, name }) => spelling === wanted && name.toLowerCase() === wanted)?.value
}

/** The values of a header that is a list, of all its lines together. */
export function listValues(headers: HeaderList, wanted: string): readonly string[] {
  const values: string[] = []
  for (const { name, value, spelling } of headers) {
    // Only what is really called so: `Cache_Control` is another header.
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
