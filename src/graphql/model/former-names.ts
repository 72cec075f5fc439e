/**
 * Names as former versions gave them, which stored fewer names than this one: clients know the names that they saw
 * last.
 */
import type { DatabaseSchema } from '../../database/database-schema.ts'
import { tableKeyOf } from '../../database/table-names.ts'
import type {
  FormerNames,
  GivenColumnNames,
  GivenRelationNames,
  RelationNames,
} from '../../store/given-names.ts'
import {
  collectionFieldNames,
  type FieldNaming,
  fieldName,
  globalIdField,
  graphqlName,
  lowerFirst,
} from './naming.ts'
import {
  foreignKeyId,
  type Relation,
  relationsOf,
  tablesByPrecedence,
  tablesOfRelation,
} from './relations.ts'

/** The names of fields, for one naming convention. */
export interface FieldNames {
  readonly columns: GivenColumnNames
  readonly relations: GivenRelationNames
}

/** What a former version stored of them: `relations` by their ids, or `former` by another key. */
export interface FormerFieldNames extends FormerNames {
  readonly given?: GivenRelationNames | undefined
}

/**
 * All fields as a former version named them: columns first, whatever their names, then relations whose names were
 * stored.
 */
export function nameFieldsAsBefore(
  schema: DatabaseSchema,
  naming: FieldNaming,
  entityNames: ReadonlyMap<string, string>,
  { given, relations: former }: FormerFieldNames,
): FieldNames {
  const taken = new Map<string, Set<string>>()
  const columns: Record<string, Readonly<Record<string, string>>> = {}
  for (const table of tablesByPrecedence(schema)) {
    const names = new Set([globalIdField])
    taken.set(table.id, names)
    columns[tableKeyOf(table)] = Object.fromEntries(
      [...table.columns.keys()].map((column) => [column, takeName([fieldName(column, naming)], names)]),
    )
  }
  const keptNames = ({ id, key, referencing }: Relation): Partial<RelationNames> | undefined =>
    given === undefined ? former?.[foreignKeyId(referencing.id, key, key.referencedTable)] : given[id]
  const found = relationsOf(schema)
  const inOrder = [...found.filter(keptNames), ...found.filter((relation) => !keptNames(relation))]
  const choose = (kept: string | undefined, names: readonly string[], table: string) => {
    const wanted = names.map((name) => fieldName(name, naming))
    return takeName(kept === undefined ? wanted : [kept, ...wanted], taken.get(table) ?? new Set())
  }
  const nameOf = (id: string) => entityNames.get(id) ?? id
  const references = inOrder.map((relation) => {
    const wanted = formerReferenceNames(relation, nameOf(relation.referenced.id))
    return choose(keptNames(relation)?.reference, wanted, relation.referencing.id)
  })
  const present = inOrder.map((relation, index): readonly [string, RelationNames] => {
    const wanted = collectionFieldNames(relation.key, nameOf(relation.referencing.id))
    const collection = choose(keptNames(relation)?.collection, wanted, relation.referenced.id)
    return [relation.id, { reference: references[index] ?? '', collection }]
  })
  return { columns, relations: withAbsent(given ?? {}, new Map(present)) }
}

function formerReferenceNames({ key }: Relation, referencedEntity: string): readonly string[] {
  const column = graphqlName(key.columns.at(-1) ?? '')
  const withoutId = column.replace(/(?:_id|Id)$/, '') || column
  return [lowerFirst(referencedEntity), withoutId, `${withoutId}Ref`]
}

/** The first of `wanted` that is free, otherwise the last one with a number; marks it as taken. */
function takeName(wanted: readonly string[], taken: Set<string>): string {
  const last = wanted.at(-1) ?? 'n'
  let name = wanted.find((candidate) => !taken.has(candidate))
  for (let number = 2; name === undefined; number += 1) {
    if (!taken.has(`${last}_${number}`)) name = `${last}_${number}`
  }
  taken.add(name)
  return name
}

/** The current names of relations, and those of absent relations unless another relation has them now. */
function withAbsent(
  given: GivenRelationNames,
  present: ReadonlyMap<string, RelationNames>,
): GivenRelationNames {
  const taken = new Set([...present].flatMap(fieldsOf))
  const kept = Object.entries(given).filter(
    (entry) => present.has(entry[0]) || !fieldsOf(entry).some((field) => taken.has(field)),
  )
  return { ...Object.fromEntries(kept), ...Object.fromEntries(present) }
}

/** Both fields of a relation, each with its table. */
function fieldsOf([id, names]: readonly [string, Partial<RelationNames>]): readonly string[] {
  const { reference, collection } = names
  const [referencing, referenced] = tablesOfRelation(id)
  return [`${referencing} ${reference}`, `${referenced} ${collection}`]
}
