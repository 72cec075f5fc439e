/** A query that shows something at once: the first rows of the first table that the account may read. */
import { type Field, firstQueryOf } from './query-of-table.ts'

interface SchemaAnswer {
  readonly __schema: { readonly queryType: { readonly fields: readonly Field[] } }
}

interface TypeAnswer {
  readonly __type: { readonly fields: readonly Field[] } | null
}

/** Runs a query and gives its `data`. */
type Run = (query: string, variables?: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Reads as much of the schema as the query needs. Throws what `run` throws. */
export async function readFirstQuery(run: Run): Promise<string> {
  const { __schema } = (await run(
    '{ __schema { queryType { fields { name type { kind name ofType { kind name } } } } } }',
  )) as SchemaAnswer
  const connection = __schema.queryType.fields.find(({ type }) => type.name?.endsWith('_Connection'))
  if (connection === undefined) return '{\n  __typename\n}\n'
  const typeName = connection.type.name?.replace(/_Connection$/, '_') ?? ''
  const { __type } = (await run(
    'query ($name: String!) { __type(name: $name) { fields { name type { kind name ofType { kind name } } } } }',
    { name: typeName },
  )) as TypeAnswer
  return firstQueryOf(connection.name, __type?.fields ?? [])
}
