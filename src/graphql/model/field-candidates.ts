/** The fields of a table's type, the names they prefer, and who owns those names. */
import type { Table } from '../../database/database-schema.ts'
import { tableKeyOf } from '../../database/table-names.ts'
import type {
  ChosenNames,
  GivenColumnNames,
  GivenRelationNames,
  OwnedNames,
} from '../../store/given-names.ts'
import { ownMember } from '../../util/own-member.ts'
import {
  collectionFieldNames,
  type FieldNaming,
  fieldName,
  globalIdField,
  referenceFieldNames,
} from './naming.ts'
import { type Relation, tablesOfRelation } from './relations.ts'

/** What determines the names of fields, for one naming convention. */
export interface FieldNamesInput {
  readonly naming: FieldNaming
  /** The names of the entities, by the ids of their tables. */
  readonly entityNames: ReadonlyMap<string, string>
  readonly columns: GivenColumnNames
  readonly relations: GivenRelationNames
  readonly chosen: ChosenNames
  readonly owned: OwnedNames['fields']
}

/** The column or relation that a field's name belongs to. */
export interface FieldOwner {
  readonly kind: 'column' | 'reference' | 'collection'
  /** The column, or the id of the relation. */
  readonly of: string
}

/** The owners of a type's field names, by name. */
export type FieldOwners = ReadonlyMap<string, FieldOwner>

/** Something that becomes a field. */
export interface Candidate extends FieldOwner {
  /** In order of preference. */
  readonly wanted: readonly string[]
  /** Whether its own name is a valid GraphQL name. */
  readonly isExact: boolean
  readonly given: string | undefined
  readonly chosen: string | undefined
}

/** The owner as it is stored. */
export function ownerText({ kind, of }: FieldOwner): string {
  return `${kind} ${of}`
}

function ownerIn(text: string): FieldOwner {
  const end = text.indexOf(' ')
  return { kind: text.slice(0, end) as FieldOwner['kind'], of: text.slice(end + 1) }
}

/** The owners of the names that were given so far, by the key of the table. */
export function ownersOf({ columns, relations, owned }: FieldNamesInput): ReadonlyMap<string, FieldOwners> {
  const owners = new Map<string, Map<string, FieldOwner>>()
  const namesOf = (table: string) => {
    const known = owners.get(table)
    if (known !== undefined) return known
    const names = new Map<string, FieldOwner>()
    owners.set(table, names)
    return names
  }
  for (const [of, { reference, collection }] of Object.entries(relations)) {
    const [referencing, referenced] = tablesOfRelation(of)
    if (reference !== undefined) namesOf(referencing).set(reference, { kind: 'reference', of })
    if (collection !== undefined) namesOf(referenced).set(collection, { kind: 'collection', of })
  }
  for (const [table, given] of Object.entries(columns)) {
    const names = namesOf(table)
    for (const [of, name] of Object.entries(given)) names.set(name, { kind: 'column', of })
  }
  for (const [table, given] of Object.entries(owned)) {
    const names = namesOf(table)
    for (const [name, owner] of Object.entries(given)) names.set(name, ownerIn(owner))
  }
  return owners
}

/** The fields of a table: its columns, then its references, then its collections. */
export function candidatesBySide(
  relations: readonly Relation[],
  input: FieldNamesInput,
): (table: Table) => readonly Candidate[] {
  const references = Map.groupBy(relations, ({ referencing }) => referencing.id)
  const collections = Map.groupBy(relations, ({ referenced }) => referenced.id)
  return (table) => [
    ...columnCandidates(table, input),
    ...(references.get(table.id) ?? []).map((relation, _, all) =>
      relationCandidate('reference', relation, all, input),
    ),
    ...(collections.get(table.id) ?? []).map((relation) =>
      relationCandidate('collection', relation, [], input),
    ),
  ]
}

function columnCandidates(table: Table, { naming, columns, chosen }: FieldNamesInput): readonly Candidate[] {
  const key = tableKeyOf(table)
  return [...table.columns.keys()].map((column) => {
    const name = fieldName(column, naming)
    return {
      kind: 'column',
      of: column,
      wanted: [name],
      isExact: name === column,
      given: ownMember(columns[key] ?? {}, column),
      chosen: ownMember(chosen.columns[key] ?? {}, column),
    }
  })
}

/** `all` are the relations of the same table. */
function relationCandidate(
  kind: 'reference' | 'collection',
  { id, key, referencing, referenced }: Relation,
  all: readonly Relation[],
  { naming, entityNames, relations, chosen }: FieldNamesInput,
): Candidate {
  const alike = all.filter((other) => other.referenced === referenced).map((other) => other.key)
  const wanted =
    kind === 'reference'
      ? referenceFieldNames(key, alike, entityNames.get(referenced.id) ?? referenced.name)
      : collectionFieldNames(key, entityNames.get(referencing.id) ?? referencing.name)
  return {
    kind,
    of: id,
    wanted: wanted.map((name) => fieldName(name, naming)),
    isExact: false,
    given: relations[id]?.[kind],
    chosen: ownMember(kind === 'reference' ? chosen.references : chosen.collections, id),
  }
}

interface NamedCandidates {
  readonly nameOf: ReadonlyMap<Candidate, string>
  /** The owner of a chosen name that the candidate does not get; undefined if GraphQL reserves the name. */
  readonly refusedFor: ReadonlyMap<Candidate, FieldOwner | undefined>
}

/**
 * Priority: chosen names, then names given before, then names that are valid in GraphQL as they are, then all others.
 */
export function nameCandidates(candidates: readonly Candidate[], owners: FieldOwners): NamedCandidates {
  const nameOf = new Map<Candidate, string>()
  const takers = new Map<string, Candidate | undefined>([[globalIdField, undefined]])
  const numbers = new Map<string, number>()
  const take = (candidate: Candidate, name: string | undefined): boolean => {
    if (name === undefined || takers.has(name)) return false
    const owner = owners.get(name)
    if (owner !== undefined && (owner.of !== candidate.of || owner.kind !== candidate.kind)) return false
    takers.set(name, candidate)
    nameOf.set(candidate, name)
    return true
  }
  // No candidate gets a name that a column is about to get as it is, unless the name already has an owner.
  const expected = new Map(
    candidates.flatMap((candidate) => {
      const isNew = candidate.given === undefined && candidate.chosen === undefined
      return isNew && candidate.isExact && !owners.has(candidate.of)
        ? [[candidate.of, candidate] as const]
        : []
    }),
  )
  const takeChosen = (candidate: Candidate) => {
    const { chosen } = candidate
    return chosen !== undefined && !expected.has(chosen) && take(candidate, chosen)
  }
  const rest = candidates.filter((candidate) => !takeChosen(candidate))
  const refusedFor = new Map(
    rest.flatMap((candidate) => {
      const { chosen } = candidate
      if (chosen === undefined) return []
      const owner = owners.get(chosen) ?? expected.get(chosen) ?? takers.get(chosen)
      return [[candidate, owner] as const]
    }),
  )
  const newcomers = rest.filter((candidate) => !take(candidate, candidate.given))
  const others = newcomers.filter((candidate) => !candidate.isExact || !take(candidate, candidate.wanted[0]))
  for (const candidate of others) {
    if (candidate.wanted.some((name) => take(candidate, name))) continue
    const last = candidate.wanted.at(-1) ?? 'n'
    let number = numbers.get(last) ?? 2
    while (!take(candidate, `${last}_${number}`)) number += 1
    numbers.set(last, number + 1)
  }
  return { nameOf, refusedFor }
}
