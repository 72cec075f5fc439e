/** Which mutations there are for a caller, and what their inputs hold. */
import type { FieldRule, PublishedEntity } from '../../record/record-rules.ts'
import type { EntityType } from './model.ts'
import { type WriteKind, writeKinds } from './naming.ts'

/** What a caller may write of one entity. */
export interface EntityWrites {
  /** With the rights of no caller. */
  readonly entity: PublishedEntity
  /** The names of its fields in GraphQL, by those of its rules. */
  readonly names: ReadonlyMap<string, string>
  /** The fields that may be given to a new record; empty if none can be created. */
  readonly created: readonly WrittenField[]
  /** The fields that may be changed; empty if no record can be. */
  readonly changed: readonly WrittenField[]
  readonly mayDelete: boolean
}

/** A field of an input. */
export interface WrittenField {
  /** Its name in GraphQL. */
  readonly name: string
  readonly rule: FieldRule
  /** Whether some right of the caller may set it instead. */
  readonly mayBeSet: boolean
}

/** By the names of the entities in GraphQL. */
export type Writes = ReadonlyMap<string, EntityWrites>

/** Which fields a caller may choose, and which some of its rights may set; by the names of their rules. */
export interface FieldRights {
  isChosen(name: string): boolean
  mayBeSet(name: string): boolean
}

/** The fields that a caller may choose, of those that clients write at all. `type` is that of a model with all fields. */
export function writtenFields(
  { fields }: EntityType,
  { rules }: PublishedEntity,
  { isChosen, mayBeSet }: FieldRights,
): readonly WrittenField[] {
  const written: WrittenField[] = []
  for (const field of fields.values()) {
    if (field.kind !== 'scalar') continue
    for (const rule of rules.fields.values()) {
      const isOf = rule.column?.name === field.column.name
      if (isOf && !rule.isReadOnly && isChosen(rule.name)) {
        written.push({ name: field.name, rule, mayBeSet: mayBeSet(rule.name) })
      }
    }
  }
  return written
}

/** The names of an entity's columns in GraphQL, by those of its rules. */
export function fieldNames({ fields }: EntityType, { rules }: PublishedEntity): ReadonlyMap<string, string> {
  const byColumn = new Map<string, string>()
  for (const field of fields.values()) {
    if (field.kind === 'scalar') byColumn.set(field.column.name, field.name)
  }
  const names = new Map<string, string>()
  for (const { name, column } of rules.fields.values())
    names.set(name, byColumn.get(column?.name ?? '') ?? name)
  return names
}

/** The mutations that a caller has for an entity. */
export function kindsOf({ entity, created, changed, mayDelete }: EntityWrites): readonly WriteKind[] {
  const givesKey = entity.rules.key.every((name) => created.some(({ rule }) => rule.name === name))
  const has: Readonly<Record<WriteKind, boolean>> = {
    create: created.length > 0,
    createAll: created.length > 0,
    update: changed.length > 0,
    updateAll: changed.length > 0,
    upsert: givesKey && changed.length > 0,
    delete: mayDelete,
    deleteAll: mayDelete,
  }
  return writeKinds.filter((kind) => has[kind])
}
