/** The parameter `fields`: which fields of its records a response shows. */
import { AppError } from '../../errors/app-error.ts'
import { isReadable } from '../../record/record-rights.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { shortName } from '../../util/short-name.ts'
import { namesIn, type Query } from '../query.ts'

/** The fields that a request asks for. */
export interface AskedFields {
  /** The name of the parameter. */
  readonly parameter: string
  /** Fields, or paths to those of related records; at least one. */
  readonly paths: readonly string[]
}

/** More paths than a usual table has fields would only cost work. */
const pathsLimit = 1000

/** The name of the parameter: `fields`, with `_` behind it as long as that is a field of the entity. */
export function fieldsParameterOf({ table, rights }: Pick<PublishedEntity, 'table' | 'rights'>): string {
  let name = 'fields'
  while (table.columns.has(name) && isReadable(rights, name)) name += '_'
  return name
}

/** The fields that a query asks for. Throws PARAMETER_INVALID. */
export function fieldsInQuery(query: Query, entity: PublishedEntity): AskedFields | undefined {
  const parameter = fieldsParameterOf(entity)
  return query[parameter] === undefined ? undefined : fieldsIn(parameter, namesIn(query, parameter))
}

/** The same for the parameter's value in a document: one path or a list of them. */
export function fieldsIn(parameter: string, value: unknown): AskedFields | undefined {
  if (value === undefined || value === null) return undefined
  const paths: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (!paths.every((path) => typeof path === 'string') || paths.length === 0)
    throw invalid(`${parameter} takes names of fields, such as id or tenant.name; at least one`)
  if (paths.length > pathsLimit) throw invalid(`${parameter} takes at most ${pathsLimit} names`)
  return { parameter, paths }
}

/** The fields that the query of a call on one record asks for, which takes nothing else. Throws PARAMETER_INVALID. */
export function fieldsOfRecord(query: Query, entity: PublishedEntity): AskedFields | undefined {
  const parameter = fieldsParameterOf(entity)
  const stray = Object.keys(query).find((name) => name !== parameter)
  if (stray === undefined) return fieldsInQuery(query, entity)
  const name = JSON.stringify(shortName(stray))
  throw invalid(
    `This call takes the query parameter ${parameter} only, and ${name} was sent${didYouMean(stray, [parameter])}`,
  )
}

function invalid(sentence: string): AppError {
  return new AppError('PARAMETER_INVALID', { detail: `${sentence}.` })
}
