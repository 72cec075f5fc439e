import { AppError } from '../../errors/app-error.ts'
import type { TemplateSettings } from '../echo-settings.ts'
import { parseFileName, writeFileName } from '../file-name.ts'
import { type RenderedFormat, renderedExtensions, renderedMediaTypes, textFormats } from '../formats.ts'

/** The file to make. */
export interface Output {
  readonly fileName: string
  readonly mediaType: string
  /** Present if a browser renders it; otherwise the text is the file. */
  readonly picture?: RenderedFormat
}

/** The extensions that files of a template may have; the first is the default. */
export function extensionsOf({ format, extension, outputs }: TemplateSettings): readonly string[] {
  const { extensions, isPage } = textFormats[format]
  const all = [extension, ...extensions, ...(isPage ? Object.keys(renderedExtensions) : [])]
  return outputs ?? [...new Set(all)]
}

/**
 * The file for a name: its extension decides the format. Throws PARAMETER_INVALID for extensions that the template does
 * not support.
 */
export function chooseOutput(settings: TemplateSettings, filename: string | undefined): Output {
  const extensions = extensionsOf(settings)
  const sent = parseFileName(filename ?? '')
  const isKnown = extensions.includes(sent.extension)
  if (sent.extension !== '' && !isKnown) {
    const detail = `The ending has to be one of ${extensions.map((known) => `.${known}`).join(', ')}.`
    throw new AppError('PARAMETER_INVALID', { mistakes: [{ pointer: '/filename', detail }] })
  }
  const extension = isKnown ? sent.extension : (extensions[0] ?? settings.extension)
  const fileName = writeFileName(sent, extension, settings.name)
  const picture = Object.hasOwn(renderedExtensions, extension) ? renderedExtensions[extension] : undefined
  if (picture === undefined) return { fileName, mediaType: settings.mediaType }
  return { fileName, mediaType: renderedMediaTypes[picture], picture }
}
