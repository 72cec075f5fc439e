/** A query that shows something at once: the first rows of the first table that the account may read. */
import { runGraphql } from '../api/graphql.ts'
import { type Field, firstQueryOf } from './query-of-table.ts'

/** Reads as much of the schema as the query needs. Throws a `Refusal`. */
export async function readFirstQuery(): Promise<string> {
  const { __schema } = await runGraphql<{
    readonly __schema: { readonly queryType: { readonly fields: readonly Field[] } }
  }>('{ __schema { queryType { fields { name type { kind name ofType { kind name } } } } } }')
  const connection = __schema.queryType.fields.find(({ type }) => type.name?.endsWith('_Connection'))
  if (connection === undefined) return '{\n  __typename\n}\n'
  const typeName = connection.type.name?.replace(/_Connection$/, '_') ?? ''
  const { __type } = await runGraphql<{ readonly __type: { readonly fields: readonly Field[] } | null }>(
    'query ($name: String!) { __type(name: $name) { fields { name type { kind name ofType { kind name } } } } }',
    { name: typeName },
  )
  return firstQueryOf(connection.name, __type?.fields ?? [])
}
