import type { DatabaseSchema } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import type { StoredEntity } from '../../store/entity-store.ts'
import type { UploadEntry } from '../../store/upload-store.ts'
import { hasTable } from '../definition/entity-definition.ts'
import { type KnownEntity, readStoredEntities } from '../definition/stored-definition.ts'
import { hasWantedType, wantedColumns } from '../plan/table-spec-of.ts'

/** The definitions that the tables currently follow. */
export interface CurrentDefinitions {
  readonly definitions: readonly StoredEntity[]
  /** Whether every table follows one: while it is being changed, a table may match neither the old nor the new one. */
  readonly isSettled: boolean
}

/**
 * The definitions that the tables currently follow: during an upload, its definitions for the tables that already match
 * them, and the stored ones for the others.
 */
export async function currentDefinitions(
  stored: readonly StoredEntity[],
  upload: UploadEntry | undefined,
  schema: DatabaseSchema,
  ddl: Pick<Ddl, 'hasType'>,
): Promise<CurrentDefinitions> {
  if (upload === undefined) return { definitions: stored, isSettled: true }
  const changing = new Set(
    upload.changes.flatMap((change) =>
      change.kind === 'changeColumn' ? [change.table, change.to.name].join('\0') : [],
    ),
  )
  const fits = ({ definition }: KnownEntity) => {
    const table = schema.tables.get(definition.name)
    return wantedColumns(definition).every((column) => {
      const found = table?.columns.get(column.spec.name)
      if (found === undefined) return false
      // A column that changes its type may hold values of both.
      const isChanging = changing.has([definition.name, column.spec.name].join('\0'))
      return isChanging ? ddl.hasType(found, column.spec) : hasWantedType(found, column, ddl)
    })
  }
  if (upload.state === 'finishing') {
    // The remaining removals concern tables that already match; while one changes, the catalogue may not show it, or only
    // partly.
    const isSettled = (await readStoredEntities(upload.saved)).every(
      (known) => !hasTable(known.definition) || fits(known),
    )
    return { definitions: stored, isSettled }
  }
  const current = new Map(stored.map((entity) => [entity.name, entity]))
  const before = new Map((await readStoredEntities(stored)).map((known) => [known.entity.name, known]))
  let isSettled = true
  for (const uploaded of await readStoredEntities(upload.saved)) {
    if (!hasTable(uploaded.definition)) continue
    const { name } = uploaded.entity
    const old = before.get(name)
    if (fits(uploaded)) current.set(name, uploaded.entity)
    else if (old !== undefined && hasTable(old.definition) && !fits(old)) isSettled = false
  }
  return { definitions: [...current.values()], isSettled }
}
