/**
 * Uploads without transactional DDL: every step is journaled, and made only if it is not made yet. An interrupted upload
 * continues from the existing state; one that cannot continue is undone.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from '../../database/database-error.ts'
import type { Connection, Statement } from '../../database/driver.ts'
import type { TableChange } from '../../database/table-change.ts'
import { AppError } from '../../errors/app-error.ts'
import { isEmpty, type UploadEntry, type UploadState } from '../../store/upload-store.ts'
import type { EntityParts } from '../entity-parts.ts'
import { runChange } from './run-change.ts'
import { remainingChanges, undoingChanges } from './verify-change.ts'

/** How long to wait for tables in use, with pauses in which others get them. */
const timeoutMs = 20_000

/** Carries out an upload on a connection whose statements commit by themselves. */
export async function journalUpload(
  entry: UploadEntry,
  connection: Connection,
  parts: EntityParts,
): Promise<void> {
  const { store } = parts
  if (isEmpty(entry)) return
  if (entry.changes.length === 0) {
    await together(connection, async () => {
      await keepDefinitions(entry, connection, parts)
      await store.uploads.append(connection, { ...entry, state: 'done' })
    })
    return
  }
  await together(connection, async () => {
    await store.uploads.append(connection, entry)
    // Other nodes check which definitions match the tables until the upload is done.
    await store.changes.note(connection, 'schema')
  })
  await bring(entry, connection, parts)
}

/** Completes an interrupted upload; returns it, if there was one. */
export async function finishUpload(
  connection: Connection,
  parts: EntityParts,
): Promise<UploadEntry | undefined> {
  // What was read on the connection before is stale.
  await connection.execute(plain('commit'))
  const entry = await parts.store.uploads.unfinished(connection)
  if (entry === undefined) return undefined
  try {
    await bring(entry, connection, parts)
    parts.observe({ kind: 'UploadResumed', upload: entry.id, outcome: 'completed' })
  } catch (error) {
    if (isGone(error) || (await parts.store.uploads.unfinished(connection)) !== undefined) throw error
    parts.observe({ kind: 'UploadResumed', upload: entry.id, outcome: 'undone' })
  }
  return entry
}

async function bring(entry: UploadEntry, connection: Connection, parts: EntityParts): Promise<void> {
  const { store, observe } = parts
  const { ddl } = parts.database.dialect
  for (const statement of ddl.boundLocks([])) await connection.execute(statement)
  try {
    let { state } = entry
    if (state === 'making') {
      state = await make(entry, connection, parts)
    }
    if (state === 'undoing') await undo(entry, connection, parts)
    if (state !== 'finishing') return
    try {
      const final = entry.changes.slice(entry.finalFrom)
      await carryOut(entry, 'finishing', (schema) => remainingChanges(final, schema, ddl), connection, parts)
      await together(connection, async () => {
        await store.uploads.advance(connection, entry.id, 'done', entry.changes.length)
        await store.changes.note(connection, 'schema')
      })
    } catch (error) {
      // The definitions are in effect; the remaining removals follow as soon as possible.
      if (isGone(error)) throw error
      observe({ kind: 'UploadUnfinished', upload: entry.id, error })
    }
  } finally {
    for (const statement of ddl.unboundLocks) await connection.execute(statement).catch(() => undefined)
  }
}

/** Makes the changes that can be undone, and puts the definitions into effect. */
async function make(entry: UploadEntry, connection: Connection, parts: EntityParts): Promise<UploadState> {
  const { store } = parts
  const { ddl } = parts.database.dialect
  const making = entry.changes.slice(0, entry.finalFrom)
  try {
    await carryOut(entry, 'making', (schema) => remainingChanges(making, schema, ddl), connection, parts)
  } catch (error) {
    // Without its connection this uploader has lost the lock: another node continues with the entry.
    if (isGone(error)) throw error
    await together(connection, () => store.uploads.advance(connection, entry.id, 'undoing', 0))
    await undo(entry, connection, parts)
    throw error
  }
  await together(connection, async () => {
    await keepDefinitions(entry, connection, parts)
    await store.uploads.advance(connection, entry.id, 'finishing', 0)
  })
  return 'finishing'
}

async function undo(entry: UploadEntry, connection: Connection, parts: EntityParts): Promise<void> {
  const { store } = parts
  const { ddl } = parts.database.dialect
  const making = entry.changes.slice(0, entry.finalFrom)
  await carryOut(entry, 'undoing', (schema) => undoingChanges(making, schema, ddl), connection, parts)
  await together(connection, async () => {
    await store.uploads.advance(connection, entry.id, 'undone', 0)
    await store.changes.note(connection, 'schema')
  })
}

function isGone(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'unavailable'
}

type Schema = Awaited<ReturnType<EntityParts['database']['dialect']['introspect']>>

/** Makes the remaining changes of a list, and stores its progress. */
async function carryOut(
  { id }: UploadEntry,
  state: UploadState,
  left: (schema: Schema) => readonly TableChange[],
  connection: Connection,
  { database: { dialect }, store }: EntityParts,
): Promise<void> {
  const changes = left(await dialect.introspect(connection))
  if (changes.length === 0) return
  const steps = dialect.ddl.changeTables(changes, await dialect.readCatalog(connection))
  const end = performance.now() + timeoutMs
  for (const [index, { statements }] of steps.entries()) {
    for (const statement of statements) await runPatiently(connection, statement, end)
    await store.uploads.advance(connection, id, state, index + 1)
  }
}

async function runPatiently(connection: Connection, statement: Statement, end: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runChange(connection, statement)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'TABLES_IN_USE') || performance.now() > end)
        throw error
      await wait(Math.min(50 * attempt, 1000) * (0.5 + Math.random()))
    }
  }
}

/** Stores and removes the definitions of an upload, and notifies the other nodes. */
export async function keepDefinitions(
  { saved, removed, audit }: UploadEntry,
  connection: Connection,
  { store }: EntityParts,
): Promise<void> {
  for (const removal of removed) await store.entities.remove(connection, removal)
  for (const entity of saved) await store.entities.save(connection, entity)
  for (const record of audit) await store.audit.append(connection, record)
  if (saved.length > 0 || removed.length > 0) await store.changes.note(connection, 'schema')
}

/** Runs changes of rows in one transaction, on a connection without one. */
async function together(connection: Connection, work: () => Promise<unknown>): Promise<void> {
  await connection.execute(plain('start transaction'))
  try {
    await work()
    await connection.execute(plain('commit'))
  } catch (error) {
    await connection.execute(plain('rollback')).catch(() => undefined)
    throw error
  }
}

const plain = (sql: string): Statement => ({ sql, parameters: [] })
