/**
 * Gives names to tables. A name belongs to its table permanently: no other table gets it, even while the table is
 * absent, so that a right to a name never applies to another table.
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

/** A table that got a longer name, because its own name belongs to another table. */
export interface LongerName {
  readonly table: Table
  readonly wanted: string
  readonly name: string
}

/** A chosen name that its table, column or foreign key does not get because it is taken. */
export interface RefusedName {
  readonly target: NameTarget
  /** A sentence. */
  readonly detail: string
}

export interface NamedTables {
  /** By the id of the table. */
  readonly byId: ReadonlyMap<string, string>
  /** The given names, including those of new tables. */
  readonly given: TableNames
  /** The owners of all names that were ever chosen. */
  readonly owned: OwnedNames['tables']
  /** Only tables that had no name yet. */
  readonly longer: readonly LongerName[]
  /** Chosen names that are taken. */
  readonly refused: readonly RefusedName[]
}

/** Names that people chose, and the owners of all names that were ever chosen. */
export interface ChosenTableNames {
  readonly chosen: TableNames
  readonly owned: OwnedNames['tables']
}

/**
 * Gives each table its name: the chosen one, otherwise the one it was given before. New tables choose a name: first
 * those whose name is valid in GraphQL as it is, in the order of the schemas, then all others.
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
 * The names that tables had before names were stored: tables that need no schema came first, and all in alphabetical
 * order.
 */
export function nameTablesAsBefore({ tables }: DatabaseSchema): NamedTables {
  const names = new EntityNames({}, { chosen: {}, owned: {} })
  const all = [...tables.values()]
  for (const table of all.filter(({ id, name }) => id === name)) names.choose(table)
  for (const table of all.filter(({ id, name }) => id !== name)) names.choose(table)
  return names.result([])
}

function tablesInOrder({ tables, schemas = [] }: DatabaseSchema): readonly Table[] {
  const ranks = new Map(schemas.map((schema, rank) => [schema, rank]))
  const rankOf = ({ schema = '' }: Table) => ranks.get(schema) ?? schemas.length
  return [...tables.values()].toSorted((a, b) => rankOf(a) - rankOf(b))
}

class EntityNames {
  readonly #given: TableNames
  readonly #people: ChosenTableNames
  /** Keys of tables, by the names they own. */
  readonly #owners: Map<string, string>
  /** Keys of new tables, by their names in the database. */
  readonly #expected = new Map<string, string>()
  readonly #roots = new Set<string>([nodeField, customNodeField])
  readonly #types = new Set<string>(sharedTypeNames)
  readonly #byId = new Map<string, string>()
  /**
   * The first number that may be free as a suffix of a name: for GraphQL, hundreds of tables may have the same name.
   */
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

  /** No other table gets a name that a table is about to get as it is. */
  expect(tables: readonly Table[]): void {
    for (const table of tables) {
      const key = tableKeyOf(table)
      const isNew = this.#given[key] === undefined && this.#people.chosen[key] === undefined
      if (isNew && graphqlName(table.name) === table.name && !this.#expected.has(table.name))
        this.#expected.set(table.name, key)
    }
  }

  /** Whether the table gets the name that was chosen for it. */
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

  /** Whether the table already has a name. */
  keep(table: Table): boolean {
    const name = this.#given[tableKeyOf(table)]
    return name !== undefined && this.take(table, name)
  }

  /** Whether the table gets the name, permanently. */
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

  /**
   * Its own name; if taken, the name with the schema, provided that this makes it unique; otherwise a name with a
   * number.
   */
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
