import type { TextFormat } from './formats.ts'

/** What a text comes from. */
export type TextSource = { readonly file: string } | { readonly text: string }

/** One template, as it is configured. Plain data: it is sent to the thread that fills templates. */
export interface TemplateSettings {
  readonly name: string
  readonly source: TextSource
  /** `plain`: the text is sent as it is. */
  readonly engine: 'handlebars' | 'plain'
  readonly format: TextFormat
  /** Ending of its text files, without the point. */
  readonly extension: string
  readonly mediaType: string
  /** The endings that files may have; without it all that can be made. */
  readonly outputs?: readonly string[]
  /** Params that are not sent have these values. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** JSON Schema that params have to follow. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly page: PageSettings
  readonly image: ImageSettings
}

/** The pages of a PDF. Lengths are as CSS writes them. */
export interface PageSettings {
  /** Width and height. */
  readonly size: readonly [string, string]
  /** Top, right, bottom, left. */
  readonly margin: readonly [string, string, string, string]
  /** Templates of HTML, repeated on each page. */
  readonly header?: string
  readonly footer?: string
}

export interface ImageSettings {
  /** In CSS pixels. */
  readonly width: number
  /** Without one the image gets as high as its content. */
  readonly height?: number
  /** Pixels of the image for each CSS pixel. */
  readonly scale: number
  /** From 1 to 100. */
  readonly jpegQuality: number
  /** Whether a PNG shows what is behind it where the page has no background. */
  readonly transparent: boolean
}

/** The templates of a web front, and what they share. */
export interface TemplatesSettings {
  readonly templates: readonly TemplateSettings[]
  readonly partials: Readonly<Record<string, TextSource>>
  /** Whether files are read again when they have changed. */
  readonly reload: boolean
}

/** The optional headless browser, and its limits. */
export interface RendererSettings {
  /** Path of the browser; without one it is looked for in the usual places. */
  readonly executable?: string
  /** Whether the browser's own sandbox is used. As root it cannot be. */
  readonly sandbox: boolean
  /** For one file, from its turn to its end, in milliseconds. */
  readonly timeoutMs: number
  readonly maxPages: number
  readonly maxPixels: number
  /** Bytes that the processes of the browser may use together. */
  readonly maxMemoryBytes: number
  /** How many files are made at a time, and how many may wait. */
  readonly parallel: number
  readonly queue: number
}

export interface EchoSettings extends TemplatesSettings {
  readonly renderer: RendererSettings
}
