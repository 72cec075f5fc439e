/** The names of downloaded files: safe on every system, and written into headers according to RFC 6266. */

/** Characters that are forbidden in file names on some system, control a terminal, or reverse the text direction. */
const forbidden = /[\p{Cc}\p{Cf}\u2028\u2029"*/:<>?\\|]/gu

/** Names that Windows reserves for devices, whatever their extension. */
const deviceNames = /^(con|prn|aux|nul|com\d|lpt\d)$/i

const longestName = 200

/** A parsed file name. */
export interface FileName {
  readonly stem: string
  /** In lower case, without the dot; `''` if there is none. */
  readonly extension: string
}

/** Makes a sent name safe; everything before a slash or backslash is removed. */
export function parseFileName(sent: string): FileName {
  const last = sent.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const name = last
    .replace(forbidden, '')
    .replace(/\.{2,}/g, '.')
    .trim()
  const [, stem = name, extension = ''] = /^(.*)\.([^.\s]{1,20})$/s.exec(name) ?? []
  return { stem: withoutEdges(stem), extension: extension.toLowerCase() }
}

/** The name of a file with an extension; `fallback` replaces an empty stem. At most 200 characters. */
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
 * The value of `Content-Disposition` for a download: https://www.rfc-editor.org/rfc/rfc6266, with the name in ASCII
 * for old clients and in full for others (https://www.rfc-editor.org/rfc/rfc8187).
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

/** The extension of a name, without its dot. */
export function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
