import { AppError } from '../../errors/app-error.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import type { ImageSettings, PageSettings } from '../echo-settings.ts'
import type { TextFormat } from '../formats.ts'
import { chooseOutput, type Output } from './choose-output.ts'
import type { CompiledTemplate } from './compile-template.ts'
import { EscapedText } from './escape.ts'
import type { LoadedTemplate } from './load-templates.ts'
import { ParamRefused } from './param-refused.ts'
import type { EchoJob } from './read-job.ts'

/** The description of a file before its text is made. Plain data. */
export interface FilledFile extends Output {
  readonly template: string
  readonly format: TextFormat
  /** The pages of a PDF, with header and footer. */
  readonly page: PageSettings
  readonly image: ImageSettings
}

/** A file and its text, which is made on demand. */
export interface Filling {
  readonly file: FilledFile
  readonly pieces: Iterable<string>
}

/**
 * Fills a template with the params of a job. Throws TEMPLATE_UNKNOWN, PARAMETER_INVALID; the pieces throw these and
 * TEMPLATE_FAILED.
 */
export function fillTemplate(templates: ReadonlyMap<string, LoadedTemplate>, job: EchoJob): Filling {
  const template = templates.get(job.template)
  if (template === undefined) {
    const meant = didYouMean(job.template, templates.keys())
    throw new AppError('TEMPLATE_UNKNOWN', {
      detail: `There is no template ${JSON.stringify(job.template.slice(0, 100))}${meant}. Templates are the keys under echo.templates in the configuration.`,
    })
  }
  const { settings, check, body, header, footer } = template
  const output = chooseOutput(settings, job.filename)
  const params = { ...settings.defaults, ...job.params }
  const mistakes = check(params)
  if (mistakes.length > 0) {
    throw new AppError('PARAMETER_INVALID', {
      mistakes: mistakes.map(({ pointer, detail }) => ({ pointer: `/params${pointer}`, detail })),
    })
  }
  const edge = (part: CompiledTemplate | undefined) =>
    part === undefined ? undefined : [...guarded(part.fill(params, pageNumbers))].join('')
  const { header: _header, footer: _footer, ...page } = settings.page
  const edges = output.picture === 'pdf' ? { header: edge(header), footer: edge(footer) } : {}
  return {
    file: {
      ...output,
      template: settings.name,
      format: settings.format,
      page: { ...page, ...present(edges) },
      image: settings.image,
    },
    pieces: guarded(body.fill(params)),
  }
}

/** The values of `{{@page}}` and `{{@pages}}` in a header or footer: the browser inserts the numbers. */
const pageNumbers = {
  page: new EscapedText('<span class="pageNumber"></span>'),
  pages: new EscapedText('<span class="totalPages"></span>'),
}

function present(edges: { readonly [part: string]: string | undefined }): object {
  return Object.fromEntries(Object.entries(edges).filter(([, text]) => text !== undefined))
}

function* guarded(pieces: Iterable<string>): Iterable<string> {
  try {
    yield* pieces
  } catch (error) {
    if (error instanceof ParamRefused) {
      throw new AppError('PARAMETER_INVALID', { mistakes: [{ pointer: '/params', detail: error.message }] })
    }
    throw new AppError('TEMPLATE_FAILED', { cause: error })
  }
}
