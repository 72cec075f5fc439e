import { AppError } from '../../errors/app-error.ts'
import { hasTable } from '../definition/entity-definition.ts'
import { readStoredEntities } from '../definition/stored-definition.ts'
import { auditOf, type EntityParts, type Uploader } from '../entity-parts.ts'
import { analyzeTables } from '../plan/table-analysis.ts'
import { changeTables } from './change-tables.ts'

export interface EntityRemoval {
  readonly name: string
  /** Whether rows may be lost. */
  readonly allowDestructive: boolean
}

/**
 * Removes a definition and drops its table, together; refused if data would be lost or references left dangling. An
 * adopted table stays as it is.
 */
export async function removeEntity(
  { name, allowDestructive }: EntityRemoval,
  uploader: Uploader,
  parts: EntityParts,
): Promise<void> {
  const { database, store, observe } = parts
  await changeTables(uploader, parts, async ({ tables: connection, records }) => {
    const entities = await readStoredEntities(await store.entities.list(records))
    const known = entities.find(({ entity }) => entity.name === name)
    if (known === undefined) throw unknownEntity(name)
    const { tables } = await database.dialect.introspect(connection)
    const isAdopted = known.definition.adopted !== undefined
    const referring = [
      ...entities
        .filter(({ definition }) => definition.fields.some(({ reference }) => reference?.entity === name))
        .map(({ entity }) => entity.name),
      ...(isAdopted ? [] : [...tables.values()])
        .filter(({ foreignKeys }) => foreignKeys.some(({ referencedTable }) => referencedTable === name))
        .map((table) => table.name),
    ].filter((other) => other !== name)
    if (referring.length > 0) throw referredTo(name, new Set(referring))
    const drops = hasTable(known.definition) && !isAdopted && tables.has(name)
    const rows = drops ? await analyzeTables(connection, database).rows(name) : 0
    if (rows > 0 && !allowDestructive) throw stillHasRows(name, rows)
    const audit = [auditOf(parts, uploader, { action: 'deleted', name, detail: '' })]
    const changes = drops ? [{ kind: 'dropTable', table: name } as const] : []
    const removed = [{ name, changedBy: uploader.account, changedAt: parts.now().toISOString() }]
    return { work: { changes, finalFrom: 0, saved: [], removed, audit }, result: undefined }
  })
  const { account, requestId } = uploader
  observe({ kind: 'RecordChanged', record: 'entity', change: 'deleted', name, account, requestId })
}

/** The error for a missing entity. */
export function unknownEntity(name: string): AppError {
  return new AppError('RECORD_NOT_FOUND', { detail: `There is no entity named "${name}".` })
}

function referredTo(name: string, others: ReadonlySet<string>): AppError {
  const list = [...others].map((other) => `"${other}"`).join(', ')
  const detail = `"${name}" is referred to by ${list}. Delete what refers to it first.`
  return new AppError('IN_USE', { detail })
}

function stillHasRows(name: string, rows: number): AppError {
  const records = rows === 1 ? '1 record' : `${rows} records`
  const detail = `"${name}" has ${records}, which would be lost. Add ?allow_destructive=true to delete the entity with its records.`
  return new AppError('IN_USE', { detail })
}
