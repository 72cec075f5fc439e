/** Inputs of mutations as documents of the published APIs, and their errors as errors of the inputs. */
import { jsonPointer } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import { noMembers } from '../../util/own-member.ts'
import type { EntityWrites } from '../model/writes.ts'

/** A record, or what changes of it, by the names of the entity definition, which may be any. */
export type Document = Record<string, unknown>

/** The document of an input. */
export function documentOf(
  input: Readonly<Record<string, unknown>>,
  { names }: Pick<EntityWrites, 'names'>,
): Document {
  const document: Document = noMembers()
  for (const [rule, name] of names) {
    if (input[name] !== undefined) document[rule] = plain(input[name])
  }
  return document
}

/** Objects written in a document of GraphQL have no prototype, and those of JSON have one. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}

/** Lets mistakes in a document point into the arguments of a field. */
export function inDocument<Result>(
  front: string,
  names: EntityWrites['names'],
  work: () => Promise<Result>,
): Promise<Result> {
  return withPointers((pointer) => front + withNames(pointer, names), work)
}

/** The same for a list of documents, each of which stands at a place of its own; `front` is that of the list. */
export function inDocuments<Result>(
  front: string,
  pointers: readonly string[],
  names: EntityWrites['names'],
  work: () => Promise<Result>,
): Promise<Result> {
  const placed = (pointer: string) => {
    const [, index = '', rest = ''] = /^\/(\d+)(.*)$/s.exec(pointer) ?? []
    const own = index === '' ? undefined : pointers[Number(index)]
    return own === undefined ? front + pointer : own + withNames(rest, names)
  }
  return withPointers(placed, work)
}

async function withPointers<Result>(
  placed: (pointer: string) => string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.mistakes.length === 0) throw error
    const { code, detail, headers, members, cause } = error
    const mistakes = error.mistakes.map((mistake) => ({ ...mistake, pointer: placed(mistake.pointer) }))
    throw new AppError(code, { ...(detail !== undefined && { detail }), mistakes, headers, members, cause })
  }
}

function withNames(pointer: string, names: EntityWrites['names']): string {
  const parts = pointer.split('/')
  const last = parts.at(-1)
  if (last === undefined) return pointer
  const name = names.get(last.replaceAll('~1', '/').replaceAll('~0', '~'))
  return name === undefined ? pointer : parts.slice(0, -1).join('/') + jsonPointer([name])
}

/** Lets an error say which of many records it is about. */
export async function ofRecord<Result>(record: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, detail, mistakes, headers, members, cause } = error
    throw new AppError(code, {
      ...(detail !== undefined && { detail }),
      mistakes,
      headers,
      members: { ...members, record },
      cause,
    })
  }
}
