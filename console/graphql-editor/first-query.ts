/** A query that shows something at once: the first rows of the first table that the account may read. */
import { type Field, firstQueryOf } from './query-of-table.ts'

interface SchemaAnswer {
  readonly __schema: { readonly queryType: { readonly fields: readonly Field[] } }
}

interface TypeAnswer {
  readonly __type: { readonly fields: readonly Field[] } | null
}

/** Runs a query and gives its `data`, or throws an error with its `code`. */
type Run = (query: string, variables?: Readonly<Record<string, unknown>>) => Promise<unknown>

/** What the editor begins with. */
export interface EditorStart {
  readonly query: string
  /** Whether the account may run queries, but not see the schema. */
  readonly hidesSchema: boolean
}

/** The query for an account that is not told what it can ask for. */
export const plainStart: EditorStart = { query: '{\n  __typename\n}\n', hidesSchema: false }

/** Reads as much of the schema as the first query needs. Throws what `run` throws, unless the schema is hidden. */
export async function readStart(run: Run): Promise<EditorStart> {
  try {
    return { query: await readFirstQuery(run), hidesSchema: false }
  } catch (error) {
    const { code } = (error ?? {}) as { readonly code?: unknown }
    if (code !== 'INTROSPECTION_DISABLED') throw error
    return { ...plainStart, hidesSchema: true }
  }
}

async function readFirstQuery(run: Run): Promise<string> {
  const { __schema } = (await run(
    '{ __schema { queryType { fields { name type { kind name ofType { kind name } } } } } }',
  )) as SchemaAnswer
  const connection = __schema.queryType.fields.find(({ type }) => type.name?.endsWith('_Connection'))
  if (connection === undefined) return plainStart.query
  const typeName = connection.type.name?.replace(/_Connection$/, '_') ?? ''
  const { __type } = (await run(
    'query ($name: String!) { __type(name: $name) { fields { name type { kind name ofType { kind name } } } } }',
    { name: typeName },
  )) as TypeAnswer
  return firstQueryOf(connection.name, __type?.fields ?? [])
}
