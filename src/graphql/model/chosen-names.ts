/** Names that people choose instead of the default ones, and how people write what a name is for. */
import type { ConfiguredNames } from '../../config/chosen-names.ts'
import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import { tableKeyOf } from '../../database/table-names.ts'
import type { ChosenNames } from '../../store/given-names.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { ownMember } from '../../util/own-member.ts'
import { type Relation, relationsOf } from './relations.ts'

/** What a name can be chosen for. */
export const nameKinds = ['table', 'field', 'reference', 'collection'] as const
export type NameKind = (typeof nameKinds)[number]

/** What a name is for. */
export interface NameTarget {
  readonly kind: NameKind
  /** The key of the table; of a reference or collection, that of the table with the foreign key. */
  readonly table: string
  /** The column, or the id of the relation; empty for a table. */
  readonly of: string
}

export const noChosenNames: ChosenNames = { tables: {}, columns: {}, references: {}, collections: {} }

/** The same names, with `name` for the target; without `name`, the target has none. */
export function withChosenName(
  names: ChosenNames,
  { kind, table, of }: NameTarget,
  name: string | undefined,
): ChosenNames {
  const changed = (record: Readonly<Record<string, string>> = {}, key: string) => {
    const others = Object.entries(record).filter(([other]) => other !== key)
    return Object.fromEntries(name === undefined ? others : [...others, [key, name]])
  }
  if (kind === 'table') return { ...names, tables: changed(names.tables, table) }
  if (kind === 'reference') return { ...names, references: changed(names.references, of) }
  if (kind === 'collection') return { ...names, collections: changed(names.collections, of) }
  return { ...names, columns: { ...names.columns, [table]: changed(names.columns[table], of) } }
}

/** The name chosen for a target. */
export function chosenNameOf(names: ChosenNames, { kind, table, of }: NameTarget): string | undefined {
  if (kind === 'table') return names.tables[table]
  if (kind === 'reference') return names.references[of]
  if (kind === 'collection') return names.collections[of]
  return ownMember(names.columns[table] ?? {}, of)
}

/**
 * Finds a target as people write it: `table`, `table.column`, or for a foreign key `table.column,column`, optionally
 * with the schema before the table.
 */
export class NameTargets {
  readonly #tables: ReadonlyMap<string, readonly Table[]>
  readonly #relations: ReadonlyMap<Table, readonly Relation[]>

  constructor(schema: DatabaseSchema) {
    const all = [...schema.tables.values()].flatMap((table) => [
      { text: table.name, table },
      ...(table.schema === undefined ? [] : [{ text: `${table.schema}.${table.name}`, table }]),
    ])
    const byText = Map.groupBy(all, ({ text }) => text)
    this.#tables = new Map([...byText].map(([text, found]) => [text, found.map(({ table }) => table)]))
    this.#relations = Map.groupBy(relationsOf(schema), ({ referencing }) => referencing)
  }

  /** The target, or a sentence that says why there is none. */
  find(kind: NameKind, text: string): NameTarget | string {
    if (kind === 'table') {
      const found = (this.#tables.get(text) ?? []).map((table) => ({ table, of: '' }))
      return this.#only(kind, found, text) ?? `There is no table ${quoted(text, this.#tables.keys())}.`
    }
    const known: string[] = []
    const found = indexesOf(text, '.').flatMap((index) => {
      const rest = text.slice(index + 1)
      return (this.#tables.get(text.slice(0, index)) ?? []).flatMap((table) => {
        const inside = this.#inside(kind, table)
        known.push(...inside.keys())
        return (inside.get(rest) ?? []).map((of) => ({ table, of }))
      })
    })
    const only = this.#only(kind, found, text)
    if (only !== undefined) return only
    const what = kind === 'field' ? 'column' : 'foreign key'
    if (known.length === 0) return `There is no ${what} ${JSON.stringify(text)}: write table.column.`
    const rest = text.slice(text.lastIndexOf('.') + 1)
    return `There is no ${what} ${JSON.stringify(text)}${didYouMean(rest, known)}.`
  }

  /** How people write an existing target. */
  textOf(kind: NameKind, table: Table, of: string): string {
    const front = table.id === table.name || table.schema === undefined ? '' : `${table.schema}.`
    const start = `${front}${table.name}`
    if (kind === 'table') return start
    if (kind === 'field') return `${start}.${of}`
    const own = this.#relations.get(table) ?? []
    const relation = own.find(({ id }) => id === of)
    const columns = (relation?.key.columns ?? []).join(',')
    const isAlone = own.filter(({ key }) => key.columns.join(',') === columns).length === 1
    return `${start}.${columns}${isAlone ? '' : `->${relation?.referenced.name ?? ''}`}`
  }

  /** If tables in several schemas match, the one that needs no schema is chosen. */
  #only(
    kind: NameKind,
    found: readonly { readonly table: Table; readonly of: string }[],
    text: string,
  ): NameTarget | string | undefined {
    const first = found.filter(({ table }) => table.id === table.name)
    const [only, other] = first.length > 0 ? first : found
    if (only === undefined) return undefined
    if (other !== undefined)
      return `${JSON.stringify(text)} may be more than one: write the schema, too, or “->” and the table that a foreign key points to.`
    return { kind, table: tableKeyOf(only.table), of: only.of }
  }

  /** The targets of a table, by how people write them after the table. */
  #inside(kind: NameKind, table: Table): ReadonlyMap<string, readonly string[]> {
    if (kind === 'field') return new Map([...table.columns.keys()].map((column) => [column, [column]]))
    const written = (this.#relations.get(table) ?? []).flatMap(({ id, key, referenced }) => {
      const columns = key.columns.join(',')
      return [columns, `${columns}->${referenced.name}`].map((text) => ({ text, id }))
    })
    const byText = Map.groupBy(written, ({ text }) => text)
    return new Map([...byText].map(([text, found]) => [text, found.map(({ id }) => id)]))
  }
}

/** The names that the configuration chooses. */
export interface FoundNames {
  readonly names: ChosenNames
  /** Sentences about names whose target does not exist. */
  readonly unknown: readonly string[]
}

/** Finds the targets of the names in the configuration. */
export function findConfiguredNames(
  configured: ConfiguredNames | undefined,
  schema: DatabaseSchema,
): FoundNames {
  if (configured === undefined) return { names: noChosenNames, unknown: [] }
  const targets = new NameTargets(schema)
  let names = noChosenNames
  const unknown: string[] = []
  for (const kind of nameKinds)
    for (const [text, name] of Object.entries(configured[`${kind}s`])) {
      const target = targets.find(kind, text)
      if (typeof target === 'string') unknown.push(`The name "${name}" is not used. ${target}`)
      else names = withChosenName(names, target, name)
    }
  return { names, unknown }
}

/** Both; if both have a name for the same target, the one in `first`. */
export function mergeNames(first: ChosenNames, second: ChosenNames): ChosenNames {
  const tables = new Set([...Object.keys(first.columns), ...Object.keys(second.columns)])
  return {
    tables: { ...second.tables, ...first.tables },
    columns: Object.fromEntries(
      [...tables].map((table) => [table, { ...second.columns[table], ...first.columns[table] }]),
    ),
    references: { ...second.references, ...first.references },
    collections: { ...second.collections, ...first.collections },
  }
}

function indexesOf(text: string, character: string): readonly number[] {
  return [...text].flatMap((found, index) => (found === character ? [index] : []))
}

function quoted(text: string, known: Iterable<string>): string {
  return `${JSON.stringify(text)}${didYouMean(text, known)}`
}
