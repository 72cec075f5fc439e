import { extname } from 'node:path'
import type { EchoConfig, TemplateConfig } from '../config/echo-options.ts'
import type { EchoSettings, TemplateSettings, TextSource } from '../echo/echo-settings.ts'
import { type TextFormat, textFormatOf, textFormatOfMediaType, textFormats } from '../echo/formats.ts'
import { extensionsOf } from '../echo/template/choose-output.ts'

/** The settings of `/echo`, and what is wrong with them. */
export interface EchoReading {
  /** Without the templates and partials that have mistakes. */
  readonly echo: EchoSettings
  /** Keys that cannot be combined, one line each. */
  readonly mistakes: readonly string[]
}

/** The settings of `/echo`, from its configuration. */
export function echoSettings(config: EchoConfig): EchoReading {
  const mistakes: string[] = []
  const partials = Object.entries(config.echo_partials).flatMap(([name, { file, text }]) => {
    const source = sourceOf(file, text)
    if (source === undefined) mistakes.push(`echo.partials.${name}: needs file or text, one of them`)
    return source === undefined ? [] : [[name, source] as const]
  })
  const templates = Object.entries(config.echo_templates).flatMap(([name, template]) => {
    const read = readTemplate(name, template)
    if ('mistake' in read) mistakes.push(`echo.templates.${name}: ${read.mistake}`)
    return 'mistake' in read ? [] : [read]
  })
  const echo = {
    templates,
    partials: Object.fromEntries(partials),
    reload: config.echo_reload,
    renderer: {
      ...(config.echo_browser === undefined ? {} : { executable: config.echo_browser }),
      sandbox: config.echo_sandbox,
      timeoutMs: config.echo_timeout,
      maxPages: config.echo_max_pages,
      maxPixels: config.echo_max_pixels,
      maxMemoryBytes: config.echo_max_memory,
      parallel: config.echo_parallel,
      queue: config.echo_queue,
    },
  }
  return { echo, mistakes }
}

function readTemplate(name: string, config: TemplateConfig): TemplateSettings | { readonly mistake: string } {
  const source = sourceOf(config.file, config.text)
  if (source === undefined) return { mistake: 'needs file or text, one of them' }
  const format = formatOf(config)
  if (format === undefined)
    return { mistake: 'needs format; the extension of its file does not say which it is' }
  const { contentType, pageHeader: header, pageFooter: footer, imageHeight: height } = config
  const settings: TemplateSettings = {
    name,
    source,
    engine: config.engine,
    format,
    extension: config.extension ?? textFormats[format].extensions[0],
    mediaType: contentType ?? textFormats[format].mediaType,
    defaults: config.defaults,
    ...(config.schema === undefined ? {} : { schema: config.schema }),
    page: {
      size: config.pageSize,
      margin: config.pageMargin,
      ...(header === undefined ? {} : { header }),
      ...(footer === undefined ? {} : { footer }),
    },
    image: {
      width: config.imageWidth,
      ...(height === undefined ? {} : { height }),
      scale: config.imageScale,
      jpegQuality: config.imageQuality,
      transparent: config.imageTransparent,
    },
  }
  const possible = extensionsOf(settings)
  const wrong = config.outputs?.find((output) => !possible.includes(output))
  if (wrong !== undefined) {
    return { mistake: `outputs: ${wrong} cannot be made from ${format}; ${possible.join(', ')} can` }
  }
  return config.outputs === undefined ? settings : { ...settings, outputs: config.outputs }
}

function sourceOf(file: string | undefined, text: string | undefined): TextSource | undefined {
  if (file !== undefined) return text === undefined ? { file } : undefined
  return text === undefined ? undefined : { text }
}

/** `invoice.html` and `invoice.html.hbs` are of the same format. */
function formatOf({ format, contentType, file }: TemplateConfig): TextFormat | undefined {
  if (format !== undefined) return format
  const ofType = contentType === undefined ? undefined : textFormatOfMediaType(contentType)
  const name = file?.replace(/\.(hbs|handlebars)$/i, '') ?? ''
  return ofType ?? textFormatOf(extname(name).slice(1).toLowerCase())
}
