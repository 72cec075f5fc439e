/** Headers in their order, each as it was written; a name may come several times. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** The headers of a message of Node.js. */
export function headerListOf(rawHeaders: readonly string[]): HeaderList {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[2 * index] ?? '',
    rawHeaders[2 * index + 1] ?? '',
  ])
}

/**
 * The one spelling of a header name. Servers that hand headers on as variables make the same of `X-User`,
 * `x_user` and `X.User`: what must not arrive has to be looked for in this form.
 */
export function spellingOf(name: string): string {
  const spelling = name.toLowerCase()
  // Nearly every name is written so already, and all are looked at several times.
  return usualSpelling.test(spelling) ? spelling : spelling.replaceAll(/[^a-z0-9]/g, '-')
}

const usualSpelling = /^[a-z0-9-]*$/

/** All headers but those whose one spelling is dropped. */
export function withoutHeaders(headers: HeaderList, isDropped: (spelling: string) => boolean): HeaderList {
  return headers.filter(([name]) => !isDropped(spellingOf(name)))
}

/** The values of a header that is a list, of all its lines together. */
export function listValues(headers: HeaderList, wanted: string): readonly string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '')
}
