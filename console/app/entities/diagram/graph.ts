/** Tables and the references between them, as a graph. */
import type { components } from '../../api/gateway-api.d.ts'

/** A table or view with what is drawn of it. */
export interface GraphTable {
  /** Its name in GraphQL, which is also that of its entity if it has one. */
  readonly id: string
  readonly fields: readonly GraphField[]
}

export interface GraphField {
  readonly name: string
  readonly type: string
  readonly isKey: boolean
  readonly isReference: boolean
}

/** A reference: fields of one table that have the values of fields of another. */
export interface GraphLink {
  readonly from: string
  readonly to: string
  readonly fields: readonly { readonly own: string; readonly other: string }[]
}

export interface Graph {
  readonly tables: readonly GraphTable[]
  readonly links: readonly GraphLink[]
}

/** What is read of a table. */
export type ReadTable = Pick<
  components['schemas']['WholeReadableTable'],
  'name' | 'key' | 'fields' | 'references'
>

/** The graph of tables; references to other tables than these are left out. */
export function graphOf(tables: readonly ReadTable[]): Graph {
  const ids = new Set(tables.map(({ name }) => name))
  return {
    tables: tables.map(({ name, key, fields, references }) => {
      const referring = new Set(references.flatMap((reference) => reference.fields.map(({ own }) => own)))
      return {
        id: name,
        fields: fields.map((field) => ({
          name: field.name,
          type: field.entity_type ?? field.type,
          isKey: key.includes(field.name),
          isReference: referring.has(field.name),
        })),
      }
    }),
    links: tables.flatMap(({ name, references }) =>
      references
        .filter(({ table }) => ids.has(table))
        .map(({ table, fields }) => ({ from: name, to: table, fields })),
    ),
  }
}

/** The part of a graph that is at most so many links away from a table, in any direction. */
export function neighbourhood({ tables, links }: Graph, center: string, depth: number): Graph {
  const near = new Set([center])
  for (let step = 0; step < depth; step += 1) {
    const reached = links.filter(({ from, to }) => near.has(from) || near.has(to))
    for (const { from, to } of reached) {
      near.add(from)
      near.add(to)
    }
  }
  return {
    tables: tables.filter(({ id }) => near.has(id)),
    links: links.filter(({ from, to }) => near.has(from) && near.has(to)),
  }
}

/** The fields that are drawn, and how many are left out. */
export function drawnFields({ fields }: GraphTable, all: boolean): readonly [readonly GraphField[], number] {
  const drawn = all ? fields : fields.filter(({ isKey, isReference }) => isKey || isReference)
  return [drawn, fields.length - drawn.length]
}
