import type { TextFormat } from './formats.ts'

/** The source of a text. */
export type TextSource = { readonly file: string } | { readonly text: string }

/** A configured template. Plain data: it is sent to the thread that fills templates. */
export interface TemplateSettings {
  readonly name: string
  readonly source: TextSource
  /** `plain`: the text is sent as it is. */
  readonly engine: 'handlebars' | 'plain'
  readonly format: TextFormat
  /** Extension of its text files, without the dot. */
  readonly extension: string
  readonly mediaType: string
  /** The extensions that files may have; by default all that can be made. */
  readonly outputs?: readonly string[]
  /** Values of params that are not sent. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** JSON Schema for the params. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly page: PageSettings
  readonly image: ImageSettings
}

/** The pages of a PDF. Lengths as in CSS. */
export interface PageSettings {
  /** Width and height. */
  readonly size: readonly [string, string]
  /** Top, right, bottom, left. */
  readonly margin: readonly [string, string, string, string]
  /** HTML templates, repeated on each page. */
  readonly header?: string
  readonly footer?: string
}

export interface ImageSettings {
  /** In CSS pixels. */
  readonly width: number
  /** By default the image is as high as its content. */
  readonly height?: number
  /** Pixels of the image for each CSS pixel. */
  readonly scale: number
  /** From 1 to 100. */
  readonly jpegQuality: number
  /** Whether a PNG is transparent where the page has no background. */
  readonly transparent: boolean
}

/** The templates of a web front, and their common settings. */
export interface TemplatesSettings {
  readonly templates: readonly TemplateSettings[]
  readonly partials: Readonly<Record<string, TextSource>>
  /** Whether changed files are read again. */
  readonly reload: boolean
}

/** The optional headless browser, and its limits. */
export interface RendererSettings {
  /** Path of the browser; by default it is looked for in the usual places. */
  readonly executable?: string
  /** Whether the browser's own sandbox is used. It cannot be used as root. */
  readonly sandbox: boolean
  /** For one file, without the time in the queue, in milliseconds. */
  readonly timeoutMs: number
  readonly maxPages: number
  readonly maxPixels: number
  /** Total memory that the processes of the browser may use, in bytes. */
  readonly maxMemoryBytes: number
  /** How many files are made concurrently, and how many may wait. */
  readonly parallel: number
  readonly queue: number
}

export interface EchoSettings extends TemplatesSettings {
  readonly renderer: RendererSettings
}
