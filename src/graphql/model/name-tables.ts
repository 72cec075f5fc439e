/**
 * Which table has which name. A name that was given belongs to its table for good: no other table gets it, also while
 * the table is away, so that the rights on a name never mean another table.
 */
import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import { describeTableKey, schemaOfKey, type TableNames, tableKeyOf } from '../../database/table-names.ts'
import { sharedTypeNames } from '../../query/shared-type-names.ts'
import type { OwnedNames } from '../../store/given-names.ts'
import type { NameTarget } from './chosen-names.ts'
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

/** A chosen name that its table, column or foreign key does not have: something else has it. */
export interface RefusedName {
  readonly target: NameTarget
  /** A sentence. */
  readonly detail: string
}

export interface NamedTables {
  /** By the id of the table. */
  readonly byId: ReadonlyMap<string, string>
  /** What was given, with the names of the tables that had none. */
  readonly given: TableNames
  /** Whose the names are that were ever chosen. */
  readonly owned: OwnedNames['tables']
  /** Of the tables that had no name yet. */
  readonly longer: readonly LongerName[]
  /** Chosen names that something else has. */
  readonly refused: readonly RefusedName[]
}

/** Names that people chose, and whose those are that they ever chose. */
export interface ChosenTableNames {
  readonly chosen: TableNames
  readonly owned: OwnedNames['tables']
}

/**
 * Gives each table its name: the one that was chosen for it, otherwise the one that it was given before. Tables that have
 * none yet choose one: first those whose name GraphQL can hold as it is, in the order of the schemas, then all others.
 */
export function nameTables(
  schema: DatabaseSchema,
  given: TableNames,
  people: ChosenTableNames = { chosen: {}, owned: {} },
): NamedTables {
  const names = new EntityNames(given, people)
  const all = tablesInOrder(schema)
  names.expect(all)
  const rest = all.filter((table) => !names.takeChosen(table))
  const newcomers = rest.filter((table) => !names.keep(table))
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
  const names = new EntityNames({}, { chosen: {}, owned: {} })
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
  readonly #people: ChosenTableNames
  /** Keys of tables, by the names that belong to them. */
  readonly #owners: Map<string, string>
  /** Keys of new tables, by the names that they have in the database. */
  readonly #expected = new Map<string, string>()
  readonly #roots = new Set<string>([nodeField, customNodeField])
  readonly #types = new Set<string>(sharedTypeNames)
  readonly #byId = new Map<string, string>()
  /** The first number that may be free behind a name: hundreds of tables may be alike for GraphQL. */
  readonly #numbers = new Map<string, number>()
  readonly #new: Record<string, string> = {}
  readonly #newlyOwned: Record<string, string> = {}
  readonly #refused: RefusedName[] = []

  constructor(given: TableNames, people: ChosenTableNames) {
    this.#given = given
    this.#people = people
    this.#owners = new Map([
      ...Object.entries(given).map(([key, name]) => [name, key] as const),
      ...Object.entries(people.owned),
    ])
  }

  /** No name is chosen that a table is about to get as it is. */
  expect(tables: readonly Table[]): void {
    for (const table of tables) {
      const key = tableKeyOf(table)
      const isNew = this.#given[key] === undefined && this.#people.chosen[key] === undefined
      if (isNew && graphqlName(table.name) === table.name && !this.#expected.has(table.name))
        this.#expected.set(table.name, key)
    }
  }

  /** Whether the table has the name that was chosen for it. */
  takeChosen(table: Table): boolean {
    const key = tableKeyOf(table)
    const name = this.#people.chosen[key]
    if (name === undefined) return false
    const owner = this.#owners.get(name) ?? this.#expected.get(name)
    if ((owner === undefined || owner === key) && this.#reserve(table, name)) {
      this.#newlyOwned[name] = key
      return true
    }
    const whose =
      owner === undefined || owner === key ? 'the GraphQL schema' : `the ${describeTableKey(owner)}`
    const detail = `The name "${name}", chosen for the ${describeTableKey(key)}, belongs to ${whose}. Choose another name.`
    this.#refused.push({ target: { kind: 'table', table: key, of: '' }, detail })
    return false
  }

  /** Whether the table has its name already. */
  keep(table: Table): boolean {
    const name = this.#given[tableKeyOf(table)]
    return name !== undefined && this.take(table, name)
  }

  /** Whether the table has the name now, given to it for good. */
  take(table: Table, name: string): boolean {
    const key = tableKeyOf(table)
    if (!this.#reserve(table, name)) return false
    if (this.#given[key] !== name) this.#new[key] = name
    return true
  }

  #reserve(table: Table, name: string): boolean {
    const key = tableKeyOf(table)
    const types = [objectTypeName(name), connectionTypeName(name), edgeTypeName(name)]
    if (this.#roots.has(name) || types.some((type) => this.#types.has(type))) return false
    if ((this.#owners.get(name) ?? key) !== key) return false
    this.#roots.add(name)
    this.#owners.set(name, key)
    for (const type of types) this.#types.add(type)
    this.#byId.set(table.id, name)
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
    return {
      byId: this.#byId,
      given: { ...this.#given, ...this.#new },
      owned: { ...this.#people.owned, ...this.#newlyOwned },
      longer,
      refused: this.#refused,
    }
  }
}
