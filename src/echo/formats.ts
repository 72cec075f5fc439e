/** The formats of the files that templates make. */

/** A format whose files are text: `template/escape.ts` decides how values are escaped in it. */
export type TextFormat = keyof typeof textFormats

export const textFormats = {
  html: { mediaType: 'text/html; charset=utf-8', extensions: ['html', 'htm'], isPage: true },
  svg: { mediaType: 'image/svg+xml; charset=utf-8', extensions: ['svg'], isPage: true },
  xml: { mediaType: 'application/xml; charset=utf-8', extensions: ['xml'], isPage: false },
  json: { mediaType: 'application/json', extensions: ['json'], isPage: false },
  csv: { mediaType: 'text/csv; charset=utf-8', extensions: ['csv'], isPage: false },
  md: { mediaType: 'text/markdown; charset=utf-8', extensions: ['md', 'markdown'], isPage: false },
  txt: { mediaType: 'text/plain; charset=utf-8', extensions: ['txt'], isPage: false },
} as const satisfies Record<string, FormatKind>

interface FormatKind {
  readonly mediaType: string
  /** The extensions of its files; the first is the usual one. */
  readonly extensions: readonly string[]
  /** Whether a browser can render it. */
  readonly isPage: boolean
}

/** A format that a browser renders: by the extension of the file. */
export type RenderedFormat = 'pdf' | 'png' | 'jpeg'

export const renderedExtensions: Readonly<Record<string, RenderedFormat>> = {
  pdf: 'pdf',
  png: 'png',
  jpeg: 'jpeg',
  jpg: 'jpeg',
}

export const renderedMediaTypes: Readonly<Record<RenderedFormat, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpeg: 'image/jpeg',
}

/** The text format of an extension; undefined for other extensions. */
export function textFormatOf(extension: string): TextFormat | undefined {
  const formats = Object.keys(textFormats) as TextFormat[]
  return formats.find((format) => textFormats[format].extensions.some((known) => known === extension))
}

/** The text format of a media type, whatever its parameters; undefined for other media types. */
export function textFormatOfMediaType(mediaType: string): TextFormat | undefined {
  const essence = (type: string) => type.split(';')[0]?.trim().toLowerCase()
  const formats = Object.keys(textFormats) as TextFormat[]
  return formats.find((format) => essence(textFormats[format].mediaType) === essence(mediaType))
}
