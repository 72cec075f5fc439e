/**
 * Carries out uploads: tables and definitions change together, one upload at a time across all nodes, and an interrupted
 * upload is completed by another node.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from '../../database/database-error.ts'
import type { Connection } from '../../database/driver.ts'
import type { TableChange } from '../../database/table-change.ts'
import { AppError } from '../../errors/app-error.ts'
import { isEmpty, type UploadEntry, type UploadWork } from '../../store/upload-store.ts'
import { apartDetail, type Connections, type EntityParts, type Uploader } from '../entity-parts.ts'
import { finishUpload, journalUpload, keepDefinitions } from './journaled-upload.ts'
import { runChange } from './run-change.ts'
import { aloneWith } from './upload-lock.ts'

/** The changes of an upload, and its result. */
interface PreparedUpload<Result> {
  readonly work: UploadWork
  readonly result: Result
}

type Prepare<Result> = (connections: Connections) => Promise<PreparedUpload<Result>>

/** How long to wait for tables in use. */
const timeoutMs = 30_000

/**
 * Prepares an upload and carries it out, exclusively. `prepare` sees the state that the work begins with; it runs again
 * if the work does.
 */
export async function changeTables<Result>(
  uploader: Uploader,
  parts: EntityParts,
  prepare: Prepare<Result>,
): Promise<Result> {
  if (parts.store.isSeparate) return keepApart(uploader, parts, prepare)
  const end = performance.now() + timeoutMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await changeOnce(uploader, parts, prepare)
    } catch (error) {
      if (!isWorthAnother(error, attempt) || performance.now() > end) throw error
      // Others get the tables in between, for longer after each attempt.
      await wait(Math.min(50 * attempt, 1000) * (0.5 + Math.random()))
    }
  }
}

/**
 * Rows that were written between the analysis and the change are found by the next analysis, and reported with their
 * number.
 */
function isWorthAnother(error: unknown, attempt: number): boolean {
  if (!(error instanceof AppError)) return false
  if (error.code === 'TABLES_IN_USE') return true
  return error.code === 'TABLE_CHANGE_REFUSED' && error.cause instanceof DatabaseError && attempt === 1
}

function changeOnce<Result>(
  uploader: Uploader,
  parts: EntityParts,
  prepare: Prepare<Result>,
): Promise<Result> {
  const { driver, dialect } = parts.database
  return driver.transaction(
    (connection) =>
      aloneWith(connection, parts, async () => {
        const together = { tables: connection, records: connection }
        if (!dialect.ddl.transactional) {
          await finishUpload(connection, parts)
          const { work, result } = await prepare(together)
          await journalUpload(entryOf(work, uploader, parts), connection, parts)
          return result
        }
        const { work, result } = await prepare(together)
        await changeTogether(work.changes, connection, parts)
        const entry = entryOf(work, uploader, parts)
        await keepDefinitions(entry, connection, parts)
        if (!isEmpty(work)) {
          await parts.store.uploads.append(connection, {
            ...entry,
            state: 'done',
            stepsDone: work.changes.length,
          })
        }
        return result
      }),
    { unlimited: true },
  )
}

/** Only definitions, in the database of the records. */
function keepApart<Result>(
  uploader: Uploader,
  parts: EntityParts,
  prepare: Prepare<Result>,
): Promise<Result> {
  const { store, database } = parts
  return store.transaction(async (records) => {
    const { work, result } = await database.driver.read((tables) => prepare({ tables, records }))
    if (work.changes.length > 0) throw new AppError('TABLE_CHANGE_REFUSED', { detail: apartDetail })
    await keepDefinitions(entryOf(work, uploader, parts), records, parts)
    return result
  })
}

function entryOf(
  work: UploadWork,
  { account, requestId }: Uploader,
  { now, nextId }: EntityParts,
): UploadEntry {
  return {
    ...work,
    id: nextId(),
    state: 'making',
    stepsDone: 0,
    account,
    requestId,
    startedAt: now().toISOString(),
  }
}

/** Makes all changes in the open transaction, which commits or rolls back all of them. */
async function changeTogether(
  changes: readonly TableChange[],
  connection: Connection,
  { database: { dialect } }: EntityParts,
): Promise<void> {
  if (changes.length === 0) return
  const { ddl } = dialect
  const { tables } = await dialect.introspect(connection)
  const touched = new Set(
    changes.flatMap((change) => {
      if (change.kind === 'createTable')
        return change.spec.foreignKeys.map(({ referencedTable }) => referencedTable)
      if (change.kind === 'addReference') return [change.table, change.key.referencedTable]
      return [change.table]
    }),
  )
  const present = [...touched].filter((name) => tables.get(name)?.kind === 'table')
  const steps = ddl.changeTables(changes, await dialect.readCatalog(connection))
  const statements = [...ddl.boundLocks(present), ...steps.flatMap((step) => step.statements)]
  for (const statement of statements) await runChange(connection, statement)
}
