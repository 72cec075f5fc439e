/** Values that are safe in an address or a style, whatever their source; others are replaced by something harmless. */

/** Replaces an address that must not be used. */
const blockedAddress = 'about:invalid#blocked'

const schemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel'])
/** Browsers ignore these in addresses: https://url.spec.whatwg.org/#concept-basic-url-parser */
const ignored = /[\p{Cc}\p{Cf}\p{Z}]/gu
/** As an image, nothing in it runs or loads: https://www.w3.org/TR/SVG2/conform.html#secure-static-mode */
const picture = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml);base64,[a-z0-9+/=\s]*$/i

/**
 * The address if it is relative, or has a scheme that runs nothing. A prefix that only looks relative does not count.
 */
export function safeAddress(text: string): string {
  return isSafeAddress(text) ? text : blockedAddress
}

/** The same for images, whose data may be in the address itself. */
export function safeImageUrl(text: string): string {
  return picture.test(text.trim()) ? text : safeAddress(text)
}

/** The same for a list of addresses, such as that of `srcset`. */
export function safeAddresses(text: string): string {
  return text.split(/[\s,;]+/).every(isSafeAddress) ? text : blockedAddress
}

function isSafeAddress(text: string): boolean {
  const [, scheme] = /^([^/?#]*?):/.exec(text.replace(ignored, '')) ?? []
  return scheme === undefined || schemes.has(scheme.toLowerCase())
}

/** Names, numbers with units, colours, with blanks, commas and slashes between them. */
const plainStyle = /^(?:[\p{L}\p{N}\s_.,%#+/-]|(?:rgb|hsl)a?\([\d\s.,%/]*\))*$/iu

/** A value of a style property; empty if it could be more than that. */
export function safeStyle(text: string): string {
  return plainStyle.test(text) && !/\/[/*]/.test(text) ? text : ''
}
