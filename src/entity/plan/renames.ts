/** What an upload renames, by old and by new names. */
import type { DatabaseSchema, ForeignKey } from '../../database/database-schema.ts'
import {
  columnFields,
  type EntityField,
  type EntityReference,
  hasTable,
} from '../definition/entity-definition.ts'
import type { KnownEntity } from '../definition/stored-definition.ts'
import type { UploadedEntity } from '../upload/read-upload.ts'

export interface Renames {
  /** What an existing reference refers to after all renames. */
  after(key: ForeignKey): EntityReference
  /** The column of a field before that; undefined if the upload creates it. */
  before(reference: EntityReference): { readonly table: string; readonly column: string } | undefined
}

/**
 * The stored entity that each upload replaces: the one of its name, otherwise the one of its `renamed_from`, unless that
 * one is also uploaded.
 */
export function replacedEntities(
  uploads: readonly UploadedEntity[],
  known: readonly KnownEntity[],
): ReadonlyMap<UploadedEntity, KnownEntity> {
  const byName = new Map(known.map((entity) => [entity.entity.name, entity]))
  const uploaded = new Set(uploads.map(({ definition }) => definition.name))
  const replaced = new Map<UploadedEntity, KnownEntity>()
  for (const upload of uploads) {
    const { name, renamedFrom } = upload.definition
    const old = renamedFrom === undefined || uploaded.has(renamedFrom) ? undefined : byName.get(renamedFrom)
    const entity = byName.get(name) ?? old
    if (entity !== undefined) replaced.set(upload, entity)
  }
  return replaced
}

/** The former field of a field; `renamed_from` takes effect once, while there is such a field. */
export function fieldBefore(
  { renamedFrom, name }: EntityField,
  stored: ReadonlyMap<string, EntityField>,
  wanted: ReadonlySet<string>,
): EntityField | undefined {
  return renamedFrom === undefined || wanted.has(renamedFrom) || stored.has(name)
    ? undefined
    : stored.get(renamedFrom)
}

interface RenamedTable {
  readonly table: string
  /** Old names by new ones, of existing columns. */
  readonly columns: ReadonlyMap<string, string>
}

export function renamesOf(
  uploads: readonly UploadedEntity[],
  replaced: ReadonlyMap<UploadedEntity, KnownEntity>,
  found: DatabaseSchema,
): Renames {
  const made = new Set(
    uploads.flatMap((upload) => {
      const { name } = upload.definition
      const stored = replaced.get(upload)
      return (stored !== undefined && hasTable(stored.definition)) || found.tables.has(name) ? [] : [name]
    }),
  )
  const tables = new Map<string, RenamedTable>()
  for (const [{ definition }, stored] of replaced) {
    if (!hasTable(stored.definition)) continue
    const before = new Map(columnFields(stored.definition).map((field) => [field.name, field]))
    const wanted = columnFields(definition)
    const names = new Set(wanted.map(({ name }) => name))
    const columns = wanted.flatMap((field): readonly (readonly [string, string])[] => {
      const old = before.get(field.name) ?? fieldBefore(field, before, names)
      return old === undefined ? [] : [[field.name, old.name]]
    })
    tables.set(definition.name, { table: stored.entity.name, columns: new Map(columns) })
  }
  const newNames = new Map([...tables].map(([name, { table }]) => [table, name]))
  return {
    after({ referencedTable, referencedColumns }) {
      const [column = ''] = referencedColumns
      const entity = newNames.get(referencedTable) ?? referencedTable
      const renamed = [...(tables.get(entity)?.columns ?? [])].find(([, old]) => old === column)
      return { entity, field: renamed?.[0] ?? column }
    },
    before({ entity, field }) {
      if (made.has(entity)) return undefined
      const renamed = tables.get(entity)
      if (renamed === undefined) {
        const isThere = found.tables.get(entity)?.columns.has(field) === true
        return isThere ? { table: entity, column: field } : undefined
      }
      const column = renamed.columns.get(field)
      return column === undefined ? undefined : { table: renamed.table, column }
    },
  }
}
