import { AppError } from '../errors/app-error.ts'
import { type Argument, isGiven } from './argument.ts'
import type { CursorSource, Page } from './select-plan.ts'

/** The paging arguments of a request, by name. */
export type PageArguments = Readonly<
  Record<'offset' | 'limit' | 'after' | 'before' | 'first' | 'last', Argument>
>

/** `order` is the tag that the cursors must have. */
export function readPage(page: PageArguments, order: string): Page {
  const size = (argument: Argument) => (isGiven(argument) ? argument.source : undefined)
  const cursor = (argument: Argument) => (isGiven(argument) ? readCursor(argument, order) : undefined)
  return withoutUndefined({
    offset: size(page.offset),
    limit: size(page.limit),
    after: cursor(page.after),
    before: cursor(page.before),
    first: size(page.first),
    last: size(page.last),
  })
}

function readCursor(argument: Argument, order: string): CursorSource {
  const shape = argument.ask('cursorShape')
  if (shape === null) {
    throw new AppError('PARAMETER_INVALID', {
      detail: `${argument.label} takes a cursor as this API gave it.`,
    })
  }
  if (shape.order !== order) {
    const detail = `${argument.label} holds a cursor of another list: use it with the same entity, asc and desc as the query that gave it.`
    throw new AppError('PARAMETER_INVALID', { detail })
  }
  return { source: argument.source, nulls: shape.nulls }
}

function withoutUndefined(page: { [Key in keyof Page]: Page[Key] | undefined }): Page {
  return Object.fromEntries(Object.entries(page).filter(([, value]) => value !== undefined))
}
