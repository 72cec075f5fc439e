/**
 * Bytes as text, in columns that also hold text: a data URL without a media type, which hardly any
 * other text is. https://www.rfc-editor.org/rfc/rfc2397
 */
const prefix = 'data:;base64,'

/** The text that stands for bytes. */
export function showBytes(bytes: Uint8Array): string {
  return prefix + base64Of(bytes)
}

/** The bytes that a text stands for; undefined for any other text. */
export function parseBytes(text: string): Uint8Array | undefined {
  return text.startsWith(prefix) ? parseBase64(text.slice(prefix.length)) : undefined
}

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** The bytes of a text that `base64Of` can have made; undefined for any other text. */
export function parseBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
