/**
 * Which table has which name. A name that was given belongs to its table for good: no other table gets it, also while
 * the table is away, so that the rights on a name never mean another table.
 */
import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import { schemaOfKey, type TableNames, tableKeyOf } from '../../database/table-names.ts'
import { sharedTypeNames } from '../../query/shared-type-names.ts'
import {
  connectionTypeName,
  customNodeField,
  edgeTypeName,
  graphqlName,
  longerEntityName,
  nodeField,
  objectTypeName,
} from './naming.ts'

/** A table that got a longer name, because the name that it would have belongs to another one. */
export interface LongerName {
  readonly table: Table
  readonly wanted: string
  readonly name: string
}

export interface NamedTables {
  /** By the id of the table. */
  readonly byId: ReadonlyMap<string, string>
  /** What was given, with the names of the tables that had none. */
  readonly given: TableNames
  /** Of the tables that had no name yet. */
  readonly longer: readonly LongerName[]
}

/**
 * Gives each table its name. Tables that have none yet choose one: first those whose name GraphQL can hold as it is, in
 * the order of the schemas, then all others.
 */
export function nameTables(schema: DatabaseSchema, given: TableNames): NamedTables {
  const names = new EntityNames(given)
  const newcomers = tablesInOrder(schema).filter((table) => !names.keep(table))
  const others = newcomers.filter(
    (table) => graphqlName(table.name) !== table.name || !names.take(table, table.name),
  )
  for (const table of others) names.choose(table)
  return names.result(newcomers)
}

/**
 * The names that tables had before names were kept: those that need no schema to be told apart chose first, and all in
 * the order of their names.
 */
export function nameTablesAsBefore({ tables }: DatabaseSchema): NamedTables {
  const names = new EntityNames({})
  const all = [...tables.values()]
  for (const table of all.filter(({ id, name }) => id === name)) names.choose(table)
  for (const table of all.filter(({ id, name }) => id !== name)) names.choose(table)
  return names.result([])
}

function tablesInOrder({ tables, schemas = [] }: DatabaseSchema): readonly Table[] {
  const places = new Map(schemas.map((schema, place) => [schema, place]))
  const placeOf = ({ schema = '' }: Table) => places.get(schema) ?? schemas.length
  return [...tables.values()].toSorted((a, b) => placeOf(a) - placeOf(b))
}

class EntityNames {
  readonly #given: TableNames
  /** Keys of tables, by the names that belong to them. */
  readonly #owners: Map<string, string>
  readonly #roots = new Set<string>([nodeField, customNodeField])
  readonly #types = new Set<string>(sharedTypeNames)
  readonly #byId = new Map<string, string>()
  /** The first number that may be free behind a name: hundreds of tables may be alike for GraphQL. */
  readonly #numbers = new Map<string, number>()
  readonly #new: Record<string, string> = {}

  constructor(given: TableNames) {
    this.#given = given
    this.#owners = new Map(Object.entries(given).map(([key, name]) => [name, key]))
  }

  /** Whether the table has its name already. */
  keep(table: Table): boolean {
    const name = this.#given[tableKeyOf(table)]
    return name !== undefined && this.take(table, name)
  }

  /** Whether the table has the name now. */
  take(table: Table, name: string): boolean {
    const key = tableKeyOf(table)
    const types = [objectTypeName(name), connectionTypeName(name), edgeTypeName(name)]
    if (this.#roots.has(name) || types.some((type) => this.#types.has(type))) return false
    if ((this.#owners.get(name) ?? key) !== key) return false
    this.#roots.add(name)
    this.#owners.set(name, key)
    for (const type of types) this.#types.add(type)
    this.#byId.set(table.id, name)
    if (this.#given[key] !== name) this.#new[key] = name
    return true
  }

  /** Its own name; where that is taken, the one with the schema, unless that tells it from no other table; then one with a number. */
  choose(table: Table): void {
    const own = graphqlName(table.name)
    if (this.take(table, own)) return
    const { schema, id, name } = table
    const owner = this.#owners.get(own)
    const tells = id !== name || (owner !== undefined && schemaOfKey(owner) !== schema)
    const longer = schema !== undefined && tells ? longerEntityName({ schema, name }) : own
    if (longer !== own && this.take(table, longer)) return
    for (let number = this.#numbers.get(longer) ?? 2; ; number += 1) {
      if (!this.take(table, `${longer}_${number}`)) continue
      this.#numbers.set(longer, number + 1)
      return
    }
  }

  result(newcomers: readonly Table[]): NamedTables {
    const longer = newcomers.flatMap((table) => {
      const wanted = graphqlName(table.name)
      const name = this.#byId.get(table.id) ?? wanted
      return name === wanted ? [] : [{ table, wanted, name }]
    })
    return { byId: this.#byId, given: { ...this.#given, ...this.#new }, longer }
  }
}
