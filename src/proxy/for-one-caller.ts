import { type HeaderList, headerNamed, listValues } from './header-list.ts'

const cacheHeaders: ReadonlySet<string> = new Set([
  'cache-control',
  'vary',
  'surrogate-control',
  'cdn-cache-control',
])
const cacheControlHeader = headerNamed('Cache-Control')
const varyHeader = headerNamed('Vary')

const sharedCacheDirective = /^(public|s-maxage|proxy-revalidate)\b/i

/**
 * The headers of a response for one caller: a shared cache must not give it to another, since it cannot know that the
 * headers `credentials` distinguish callers: https://www.rfc-editor.org/rfc/rfc9111#section-3.5
 */
export function forOneCaller(headers: HeaderList, credentials: readonly string[]): HeaderList {
  const directives = listValues(headers, 'cache-control')
  const own = directives.filter((directive) => !sharedCacheDirective.test(directive))
  const isClosed = own.some((directive) => /^(no-store|private$)/i.test(directive))
  const cacheControl = directives.length === 0 ? ['no-store'] : isClosed ? own : ['private', ...own]
  const vary = [...listValues(headers, 'vary'), ...credentials]
  return [
    ...headers.filter(({ spelling }) => !cacheHeaders.has(spelling)),
    cacheControlHeader(cacheControl.join(', ')),
    varyHeader(vary.includes('*') ? '*' : vary.join(', ')),
  ]
}
