/** What may stand in an address or a style, whoever chose it; anything else becomes something harmless. */

/** What stands for an address that is not followed. */
const blockedAddress = 'about:invalid#blocked'

const schemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel'])
/** Browsers take none of these for a part of an address: https://url.spec.whatwg.org/#concept-basic-url-parser */
const ignored = /[\p{Cc}\p{Cf}\p{Z}]/gu
/** Where a picture is shown, nothing in it runs or loads: https://www.w3.org/TR/SVG2/conform.html#secure-static-mode */
const picture = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml);base64,[a-z0-9+/=\s]*$/i

/** The address where it is relative, or of a scheme that runs nothing. A beginning that only looks relative is none. */
export function safeAddress(text: string): string {
  return isSafeAddress(text) ? text : blockedAddress
}

/** The same for what shows pictures, which may be in the address itself. */
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

/** Names, numbers with units, colours, and blanks, commas and slashes between them. */
const plainStyle = /^(?:[\p{L}\p{N}\s_.,%#+/-]|(?:rgb|hsl)a?\([\d\s.,%/]*\))*$/iu

/** A value of a style property; nothing where it could be more than that. */
export function safeStyle(text: string): string {
  return plainStyle.test(text) && !/\/[/*]/.test(text) ? text : ''
}
