import type { Column } from '../../database/database-schema.ts'
import type { EntityType } from './model.ts'
import type { WrittenField } from './writes.ts'

/** A reference that an input may give in place of the fields that make it. */
export interface WrittenReference {
  /** Its name in GraphQL. */
  readonly name: string
  /** The name of the entity that it leads to. */
  readonly target: string
  /** The fields that make it, and for each the column of the other row with the same value. */
  readonly parts: readonly { readonly field: WrittenField; readonly other: Column }[]
}

/** By the fields that a caller may write, which are found once for a schema. */
const referencesOfFields = new WeakMap<readonly WrittenField[], readonly WrittenReference[]>()

/** The references of an entity of which a caller may write all fields. */
export function writtenReferences(
  type: EntityType,
  written: readonly WrittenField[],
): readonly WrittenReference[] {
  const before = referencesOfFields.get(written)
  if (before !== undefined) return before
  const references = referencesOf(type, written)
  referencesOfFields.set(written, references)
  return references
}

function referencesOf({ fields }: EntityType, written: readonly WrittenField[]): readonly WrittenReference[] {
  const byColumn = new Map(written.map((field) => [field.rule.column?.name, field]))
  const references: WrittenReference[] = []
  for (const { name, ...field } of fields.values()) {
    if (field.kind !== 'reference') continue
    const { target, link } = field
    const parts = link.own.flatMap((own, index) => {
      const [made, other] = [byColumn.get(own.name), link.other[index]]
      return made === undefined || other === undefined ? [] : [{ field: made, other }]
    })
    if (parts.length === link.own.length) references.push({ name, target, parts })
  }
  return references
}

/** The fields of keys by which an input may name a row. */
export function keyFields({ fields, table }: EntityType): ReadonlyMap<string, Column> {
  const keys = new Set([table.primaryKey, ...table.uniqueKeys].flat())
  const found = new Map<string, Column>()
  for (const field of fields.values()) {
    if (field.kind === 'scalar' && keys.has(field.column.name)) found.set(field.name, field.column)
  }
  return found
}
