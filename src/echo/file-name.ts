/** The names of downloaded files: harmless on every system, and written into headers as RFC 6266 wants it. */

/** Characters that no name of a file may have on some system, that steer a terminal, or that turn text around. */
const forbidden = /[\p{Cc}\p{Cf}\u2028\u2029"*/:<>?\\|]/gu

/** Names that Windows keeps for devices, whatever their ending. */
const deviceNames = /^(con|prn|aux|nul|com\d|lpt\d)$/i

const longestName = 200

/** A name in its parts. */
export interface FileName {
  readonly stem: string
  /** In small letters and without its point; `''` where there is none. */
  readonly extension: string
}

/** A name that somebody sent, made harmless; whatever comes before a slash or backslash is left out. */
export function parseFileName(sent: string): FileName {
  const last = sent.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const name = last
    .replace(forbidden, '')
    .replace(/\.{2,}/g, '.')
    .trim()
  const [, stem = name, extension = ''] = /^(.*)\.([^.\s]{1,20})$/s.exec(name) ?? []
  return { stem: withoutEdges(stem), extension: extension.toLowerCase() }
}

/** The name of a file with an ending; `fallback` names it where nothing is left of a stem. At most 200 characters. */
export function writeFileName({ stem }: FileName, extension: string, fallback: string): string {
  const room = longestName - extension.length - 1
  const own = withoutEdges([...stem].slice(0, room).join(''))
  const usable = own === '' ? fallback : own
  return `${deviceNames.test(usable) ? `_${usable}` : usable}.${extension}`
}

function withoutEdges(stem: string): string {
  return stem.replace(/^[\s.~-]+|[\s.]+$/g, '')
}

/**
 * The value of `Content-Disposition` for a download: https://www.rfc-editor.org/rfc/rfc6266, with the name in
 * letters of ASCII for old readers and whole for others (https://www.rfc-editor.org/rfc/rfc8187).
 */
export function attachmentOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|[%"\\]/gu, '_')
  const plain = `attachment; filename="${ascii}"`
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeExtended(name)}`
}

function encodeExtended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The ending of a name, without its point. */
export function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
