/** The bytes of a text in base64url: https://www.rfc-editor.org/rfc/rfc4648#section-5 */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}

/** Bytes as text in base64url. */
export function textOf(buffer: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
