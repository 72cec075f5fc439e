interface TypeReference {
  readonly kind: string
  readonly name: string | null
}

/** A field of a table's type, as introspection tells it. */
export interface Field {
  readonly name: string
  readonly type: TypeReference & { readonly ofType: TypeReference | null }
}

/** Fields that each table has besides its own. */
const systemFields = new Set(['instance', 'xid', 'xname', 'GlobalId'])

/** How many fields the query selects. */
const mostFields = 6

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
