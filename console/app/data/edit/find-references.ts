/** Looks for the records that a field may refer to. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { textOfValue } from '../conditions.ts'
import type { Condition } from '../filters.ts'
import { type Row, type RowPage, readRows } from '../rows.ts'
import type { Place } from '../table-view.ts'
import { type Field, type Relation, rowsKey, type Table, tableQuery } from '../tables.ts'
import { referenceFilters, tellingField } from './referable.ts'

/** A record that can be referred to. */
export interface Referable {
  /** The values of the referenced fields, in the order of the foreign key. */
  readonly keys: readonly string[]
  /** What tells people which record it is; '' if no field does. */
  readonly telling: string
}

/** A page of such records. */
export interface ReferablePage extends Pick<RowPage, 'hasNext' | 'hasPrevious' | 'cursors'> {
  readonly found: readonly Referable[]
}

/** Which records are looked for. */
export interface Sought {
  readonly text: string
  /** Values of referenced fields that the records must have, by name. */
  readonly known: Readonly<Record<string, string>>
  readonly place: Place
}

const pageSize = 20

/** A page of the records that can be referred to, and whose key or name matches a text. */
export function referablesQuery(reference: Relation, sought: Sought, client: QueryClient) {
  return queryOptions({
    queryKey: [...rowsKey(reference.table), 'referable', reference.fields, sought],
    queryFn: async ({ signal }): Promise<ReferablePage> => {
      const table = await client.fetchQuery(tableQuery(reference.table))
      const parts = partsOf(table, reference)
      if (parts === undefined) return { found: [], hasNext: false, hasPrevious: false, cursors: undefined }
      const { keys, telling, wanted } = parts
      const { text, known, place } = sought
      const filters = [...equal(known), ...referenceFilters(keys, telling, text)]
      const list = {
        filters: filters.length === 0 ? undefined : filters,
        asc: [],
        desc: [],
        place,
        size: pageSize,
      }
      const { rows, ...page } = await readRows(table, wanted, list, signal)
      return { ...page, found: rows.map((row) => referableOf(row, keys, telling)) }
    },
    placeholderData: keepPreviousData,
  })
}

/** What tells people which record a key belongs to; '' if there is nothing to tell, or no such record. */
export function tellingQuery(reference: Relation, keys: readonly string[]) {
  return queryOptions({
    queryKey: [...rowsKey(reference.table), 'telling', reference.fields, keys],
    queryFn: async ({ signal, client }): Promise<string> => {
      const table = await client.fetchQuery(tableQuery(reference.table))
      const parts = partsOf(table, reference)
      if (parts?.telling === undefined) return ''
      const filters = equal(
        Object.fromEntries(parts.keys.map(({ name }, index) => [name, keys[index] ?? ''])),
      )
      const list = { filters, asc: [], desc: [], place: { kind: 'start' }, size: 1 } as const
      const { rows } = await readRows(table, parts.wanted, list, signal)
      return rows[0] === undefined ? '' : referableOf(rows[0], parts.keys, parts.telling).telling
    },
    retry: false,
  })
}

function equal(values: Readonly<Record<string, string>>): readonly Condition[] {
  return Object.entries(values).map(([key, val]) => ({ key, op: '==', val }))
}

/** The fields that are read; undefined if a referenced one is not among those of the table. */
function partsOf(table: Table, { fields }: Relation) {
  const keys = fields.flatMap(({ other }) => table.fields.filter(({ name }) => name === other))
  if (keys.length < fields.length) return undefined
  const names = keys.map(({ name }) => name)
  const telling = tellingField(table, names)
  const all = telling === undefined ? names : [...names, telling.name]
  return { keys, telling, wanted: { fields: all, references: [] } }
}

function referableOf({ values }: Row, keys: readonly Field[], telling: Field | undefined): Referable {
  return {
    keys: keys.map(({ name }) => textOfValue(values[name])),
    telling: telling === undefined ? '' : textOfValue(values[telling.name]),
  }
}
