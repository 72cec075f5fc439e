import { AppError } from '../../errors/app-error.ts'
import type { ImageSettings, PageSettings } from '../echo-settings.ts'
import type { TextFormat } from '../formats.ts'
import { chooseOutput, type Output } from './choose-output.ts'
import type { CompiledTemplate } from './compile-template.ts'
import { EscapedText } from './escape.ts'
import type { LoadedTemplate } from './load-templates.ts'
import { ParamRefused } from './param-refused.ts'
import type { EchoJob } from './read-job.ts'

/** A file as it is described before its text is there. Plain data. */
export interface FilledFile extends Output {
  readonly template: string
  readonly format: TextFormat
  /** The pages of a PDF, with what is repeated on each. */
  readonly page: PageSettings
  readonly image: ImageSettings
}

/** A file and its text, which is made as it is taken. */
export interface Filling {
  readonly file: FilledFile
  readonly pieces: Iterable<string>
}

/**
 * Fills a template with the params of an order. Throws TEMPLATE_UNKNOWN, PARAMETER_INVALID; so may the pieces, which
 * throw TEMPLATE_FAILED, too.
 */
export function fillTemplate(templates: ReadonlyMap<string, LoadedTemplate>, order: EchoJob): Filling {
  const template = templates.get(order.template)
  if (template === undefined) {
    throw new AppError('TEMPLATE_UNKNOWN', { detail: 'Name a template of the configuration.' })
  }
  const { settings, check, body, header, footer } = template
  const output = chooseOutput(settings, order.filename)
  const params = { ...settings.defaults, ...order.params }
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

/** What `{{@page}}` and `{{@pages}}` stand for in a header or footer: the browser puts the numbers there. */
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
