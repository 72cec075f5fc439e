/** The name in a header `Content-Disposition` (RFC 6266, RFC 8187); undefined if it has none. */
export function fileNameIn(header: string): string | undefined {
  const [, extended] = /filename\*=UTF-8''([^;\s]+)/i.exec(header) ?? []
  if (extended !== undefined) return decodeURIComponent(extended)
  return /filename="([^"]*)"/i.exec(header)?.[1]
}
