/** The arguments of a list as JSON values, from the parameters of a query or from a document. */
import { AppError } from '../errors/app-error.ts'
import type { PublishedEntity } from '../record/record-rules.ts'
import { type AskedFields, fieldsIn, fieldsInQuery, fieldsParameterOf } from './fields/asked-fields.ts'
import { namesIn, type Query } from './query.ts'

/** The parameters of a list itself, besides those of its fields. */
export const listParameters = [
  'filters',
  'asc',
  'desc',
  'offset',
  'limit',
  'first',
  'last',
  'after',
  'before',
  'count',
] as const
type OwnParameter = (typeof listParameters)[number]

export interface ListArguments extends Readonly<Partial<Record<Exclude<OwnParameter, 'count'>, unknown>>> {
  readonly count: boolean
  /** Which fields the response shows; undefined for all. */
  readonly fields: AskedFields | undefined
  /** What fields must equal, by name; any of the values of a list. */
  readonly equalities: ReadonlyMap<string, unknown>
}

/** The arguments in the query of a `GET`. Throws PARAMETER_INVALID. */
export function argumentsInQuery(query: Query, entity: PublishedEntity): ListArguments {
  const { rules } = entity
  const fields = fieldsInQuery(query, entity)
  const equalities = Object.entries(query)
    .filter(([name]) => !isOwn(name) && name !== fields?.parameter)
    .map(([name, value]) => {
      const read = rules.fields.get(name)?.codec.readParameter ?? ((text: string) => text)
      return [name, typeof value === 'string' ? read(value) : value.map(read)] as const
    })
  const filters = single(query, 'filters')
  return {
    ...(filters !== undefined && { filters: parseFilters(filters) }),
    asc: namesIn(query, 'asc'),
    desc: namesIn(query, 'desc'),
    offset: sizeIn(query, 'offset'),
    limit: sizeIn(query, 'limit'),
    first: sizeIn(query, 'first'),
    last: sizeIn(query, 'last'),
    after: single(query, 'after'),
    before: single(query, 'before'),
    count: flagIn(query),
    fields,
    equalities: new Map(equalities),
  }
}

/** The parameters that select another part of the same list. */
const placeParameters = ['after', 'before', 'offset'] as const

/**
 * The arguments in a document: the same names, with JSON values. The query of its address may hold only those that select
 * a part of the list, and these take precedence. Throws PARAMETER_INVALID.
 */
export function argumentsInDocument(document: unknown, query: Query, entity: PublishedEntity): ListArguments {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new AppError('PARAMETER_INVALID', {
      detail: 'Send the parameters of the list as a JSON object, such as {"filters":[…],"limit":100}.',
    })
  }
  const stray = Object.keys(query).find((name) => !placeParameters.some((known) => known === name))
  if (stray !== undefined) {
    const detail = `Send ${JSON.stringify(stray)} in the document: the query of this address takes ${placeParameters.join(', ')}.`
    throw new AppError('PARAMETER_INVALID', { detail })
  }
  const sent: Readonly<Record<string, unknown>> = { ...document }
  const { count = false, ...own } = Object.fromEntries(Object.entries(sent).filter(([name]) => isOwn(name)))
  if (typeof count !== 'boolean') throw invalid('count', 'takes true or false')
  const [after, before] = [single(query, 'after'), single(query, 'before')]
  const offset = sizeIn(query, 'offset')
  const parameter = fieldsParameterOf(entity)
  return {
    ...own,
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
    ...(offset !== undefined && { offset }),
    count,
    fields: fieldsIn(parameter, sent[parameter]),
    equalities: new Map(Object.entries(sent).filter(([name]) => !isOwn(name) && name !== parameter)),
  }
}

/** Whether a parameter is one of the list itself, and not of a field. */
function isOwn(name: string): boolean {
  return listParameters.some((own) => own === name)
}

function parseFilters(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid('filters', 'takes JSON such as [{"key":"name","op":"==","val":"x"}]', cause)
  }
}

/** A number of rows; anything else is left as it is, to be refused later. */
function sizeIn(query: Query, name: OwnParameter): number | string | undefined {
  const text = single(query, name)
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text
}

function flagIn(query: Query): boolean {
  const text = single(query, 'count')
  if (text === undefined || text === 'false') return false
  if (text === 'true' || text === '') return true
  throw invalid('count', 'takes true or false')
}

function single(query: Query, name: OwnParameter): string | undefined {
  const value = query[name]
  if (value === undefined || typeof value === 'string') return value
  throw invalid(name, 'may be sent only once')
}

function invalid(name: string, rest: string, cause?: unknown): AppError {
  return new AppError('PARAMETER_INVALID', { detail: `${name} ${rest}.`, cause })
}
