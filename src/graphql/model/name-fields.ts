/**
 * Gives names to a table's columns, references and collections. A name belongs to its owner permanently, even while
 * the owner is absent.
 */
import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import { describeTableKey, tableKeyOf } from '../../database/table-names.ts'
import type {
  GivenColumnNames,
  GivenRelationNames,
  OwnedNames,
  RelationNames,
} from '../../store/given-names.ts'
import {
  type Candidate,
  candidatesBySide,
  type FieldNamesInput,
  type FieldOwner,
  type FieldOwners,
  nameCandidates,
  ownersOf,
  ownerText,
} from './field-candidates.ts'
import type { RefusedName } from './name-tables.ts'
import { type Relation, relationsOf, tablesOfRelation } from './relations.ts'

export interface NamedFields {
  /** The names of the fields of a table's columns, by column. */
  columnsOf(table: Table): ReadonlyMap<string, string>
  /** In the order of the tables, then of their columns. */
  readonly relations: readonly { readonly relation: Relation; readonly names: RelationNames }[]
  /** The given names, including new ones. */
  readonly given: { readonly columns: GivenColumnNames; readonly relations: GivenRelationNames }
  readonly owned: OwnedNames['fields']
  /** Chosen names that are taken. */
  readonly refused: readonly RefusedName[]
}

/** Gives each field its name. Yields so that other work can run. */
export function* nameFields(
  schema: DatabaseSchema,
  input: FieldNamesInput,
): Generator<void, NamedFields, void> {
  const relations = relationsOf(schema)
  yield
  const candidatesOf = candidatesBySide(relations, input)
  const owners = ownersOf(input)
  yield
  const noOwners: FieldOwners = new Map()
  const kept = new KeptFieldNames(input)
  const columns = new Map<string, ReadonlyMap<string, string>>()
  const names = { reference: new Map<string, string>(), collection: new Map<string, string>() }
  const refused: RefusedName[] = []
  for (const table of schema.tables.values()) {
    const key = tableKeyOf(table)
    const candidates = candidatesOf(table)
    const { nameOf, refusedFor } = nameCandidates(candidates, owners.get(key) ?? noOwners)
    const ofColumns = new Map<string, string>()
    for (const candidate of candidates) {
      const name = nameOf.get(candidate) ?? ''
      if (candidate.kind === 'column') ofColumns.set(candidate.of, name)
      else names[candidate.kind].set(candidate.of, name)
      kept.add(key, candidate, name)
    }
    columns.set(table.id, ofColumns)
    for (const [candidate, owner] of refusedFor) refused.push(refusedName(key, candidate, owner))
    yield
  }
  return {
    columnsOf: ({ id }) => columns.get(id) ?? new Map(),
    relations: relations.map((relation) => ({
      relation,
      names: {
        reference: names.reference.get(relation.id) ?? '',
        collection: names.collection.get(relation.id) ?? '',
      },
    })),
    ...kept.all(),
    refused,
  }
}

/** The given names, to which new ones are added. */
class KeptFieldNames {
  readonly #before: FieldNamesInput
  readonly #columns = new Map<string, [string, string][]>()
  readonly #relations = new Map<string, Partial<RelationNames>>()
  readonly #owned = new Map<string, [string, string][]>()

  constructor(before: FieldNamesInput) {
    this.#before = before
  }

  add(table: string, { kind, of, given, chosen }: Candidate, name: string): void {
    if (chosen === name) addTo(this.#owned, table, [name, ownerText({ kind, of })])
    else if (given === name) return
    else if (kind === 'column') addTo(this.#columns, table, [of, name])
    else {
      const before = this.#relations.get(of) ?? this.#before.relations[of]
      this.#relations.set(of, { ...before, [kind]: name })
    }
  }

  all(): Pick<NamedFields, 'given' | 'owned'> {
    const { columns, relations, owned } = this.#before
    return {
      given: {
        columns: withEntries(columns, this.#columns),
        relations: { ...relations, ...Object.fromEntries(this.#relations) },
      },
      owned: withEntries(owned, this.#owned),
    }
  }
}

function addTo(lists: Map<string, [string, string][]>, key: string, entry: [string, string]): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [entry])
  else list.push(entry)
}

type TextsByKey = Readonly<Record<string, Readonly<Record<string, string>>>>

function withEntries(before: TextsByKey, added: ReadonlyMap<string, [string, string][]>): TextsByKey {
  const changed = [...added].map(([key, entries]): readonly [string, Readonly<Record<string, string>>] => [
    key,
    Object.fromEntries([...Object.entries(before[key] ?? {}), ...entries]),
  ])
  return { ...before, ...Object.fromEntries(changed) }
}

function refusedName(
  table: string,
  { kind, of, chosen }: Candidate,
  owner: FieldOwner | undefined,
): RefusedName {
  const whose = owner === undefined ? 'the GraphQL schema' : describeField(owner)
  const detail = `The name "${chosen}", chosen for ${describeField({ kind, of })} of the ${describeTableKey(table)}, belongs to ${whose}. Choose another name.`
  if (kind === 'column') return { target: { kind: 'field', table, of }, detail }
  return { target: { kind, table: tablesOfRelation(of)[0], of }, detail }
}

/** Describes a field for people. */
function describeField({ kind, of }: FieldOwner): string {
  if (kind === 'column') return `the column ${JSON.stringify(of)}`
  const [table, columns] = JSON.parse(of) as readonly [string, readonly string[]]
  const key = columns.map((column) => JSON.stringify(column)).join(', ')
  return `the ${kind} by ${key} of the ${describeTableKey(table)}`
}
