/**
 * The media type of `offered` that an `Accept` header prefers; of equal ones the first offered, but `forAnything` if the
 * header only accepts anything. Undefined if it accepts none of them.
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function preferredMediaType<Type extends string>(
  accept: string,
  offered: readonly Type[],
  forAnything: Type,
): Type | undefined {
  // What most clients send needs no parsing.
  const named = offered.find((type) => type === accept)
  if (named !== undefined) return named
  if (accept === '*/*') return forAnything
  const ranges = accept.split(',').map(parseRange)
  let best: Type | undefined
  let bestQuality = 0
  for (const type of offered) {
    const range = ranges.find(({ name }) => name === type)
    if (range !== undefined && range.quality > bestQuality) {
      best = type
      bestQuality = range.quality
    }
  }
  if (best !== undefined) return best
  const group = (type: string) => `${type.slice(0, type.indexOf('/'))}/*`
  const acceptsAnything = ranges.some(
    ({ name, quality }) => quality > 0 && (name === '*/*' || name === group(forAnything)),
  )
  return acceptsAnything ? forAnything : undefined
}

function parseRange(range: string): { readonly name: string; readonly quality: number } {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { name, quality: quality === undefined ? 1 : Number(quality) || 0 }
}
