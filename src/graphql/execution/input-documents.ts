/** Inputs of mutations as documents of the published APIs, and their errors as errors of the inputs. */
import { jsonPointer } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { EntityWrites } from '../model/writes.ts'

/** The document of a record: its fields have the names of the entity definition. */
export function documentOf(
  input: unknown,
  { writes: { names } }: { readonly writes: Pick<EntityWrites, 'names'> },
): Readonly<Record<string, unknown>> {
  const given = input as Readonly<Record<string, unknown>>
  const document: Record<string, unknown> = {}
  for (const [rule, name] of names) {
    if (given[name] !== undefined) document[rule] = plain(given[name])
  }
  return document
}

/** Objects written in a document of GraphQL have no prototype, and those of JSON have one. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}

/** Lets mistakes in a document, or in a list of them, point into the arguments of a field. */
export async function inDocument<Result>(
  front: string,
  names: EntityWrites['names'],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.mistakes.length === 0) throw error
    const { code, detail, headers, members, cause } = error
    const mistakes = error.mistakes.map((mistake) => ({
      ...mistake,
      pointer: front + withNames(mistake.pointer, names),
    }))
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
