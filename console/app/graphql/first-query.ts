/** A query that shows something at once: the first rows of the first table that the account may read. */
import { runGraphql } from '../api/graphql.ts'

interface TypeReference {
  readonly kind: string
  readonly name: string | null
}

interface Field {
  readonly name: string
  readonly type: TypeReference & { readonly ofType: TypeReference | null }
}

/** Fields that each table has besides its own. */
const systemFields = new Set(['instance', 'xid', 'xname', 'GlobalId'])

/** How many fields the query selects. */
const mostFields = 6

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

/** The query for a table with these fields. */
export function firstQueryOf(table: string, fields: readonly Field[]): string {
  const scalars = fields.filter(({ type }) => (type.ofType ?? type).kind === 'SCALAR').map(({ name }) => name)
  const own = scalars.filter((name) => !systemFields.has(name))
  const selected = (own.length > 0 ? own : scalars).slice(0, mostFields)
  const lines = selected.map((name) => `        ${name}`)
  return `{
  ${table}(first: 10) {
    totalCount
    edges {
      node {
${lines.length === 0 ? '        __typename' : lines.join('\n')}
      }
    }
  }
}
`
}
