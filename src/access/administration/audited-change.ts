import { DatabaseError } from '../../database/database-error.ts'
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import type { AuditEntry } from '../../store/audit-store.ts'
import type { AccessParts } from '../access-parts.ts'
import type { Actor } from '../caller.ts'

/** What was changed, for the audit and the log. */
export interface AuditedChange<Answer> extends Pick<AuditEntry, 'record' | 'action' | 'name' | 'changes'> {
  /** The part of the record, in a few words; never a value. */
  readonly detail?: string
  readonly answer: Answer
}

/**
 * Changes one of the gateway's records: the change and its audit entry in one transaction, then the directory, so that
 * the change has taken effect when this resolves. Across all nodes, changes of a kind (`tokens`, or all `records`) run
 * one at a time, so that `work` may rely on what it reads.
 */
export async function changeWithAudit<Answer>(
  {
    store,
    directory,
    now,
    nextId,
    observe,
  }: Pick<AccessParts, 'store' | 'directory' | 'now' | 'nextId' | 'observe'>,
  actor: Actor,
  work: (connection: Connection) => Promise<AuditedChange<Answer>>,
  kind: 'records' | 'tokens' = 'records',
): Promise<Answer> {
  const { account, address, requestId } = actor
  const { record, action, name, answer } = await store.transaction(async (connection) => {
    // First, because this row is the lock that others wait for: other records that this change depends on then cannot
    // change.
    await store.changes.note(connection, kind)
    const change = await work(connection)
    const { record, action, name, detail = '', changes } = change
    const happenedAt = now().toISOString()
    await store.audit.append(connection, {
      account,
      address,
      requestId,
      id: nextId(),
      happenedAt,
      record,
      action,
      name,
      detail,
      ...(changes === undefined ? {} : { changes }),
    })
    return change
  })
  await directory.reload()
  observe({
    kind: 'RecordChanged',
    record,
    change: action,
    name,
    account,
    requestId,
  })
  return answer
}

/** Throws NAME_TAKEN if the name of an insert is in use; `remedy` is what else can be done then. */
export async function insertNamed<Inserted>(
  what: string,
  name: string,
  insert: Promise<Inserted>,
  remedy = 'change the one there is',
): Promise<Inserted> {
  try {
    return await insert
  } catch (cause) {
    if (!(cause instanceof DatabaseError && cause.kind === 'uniqueViolation')) throw cause
    throw nameTaken(what, name, remedy, cause)
  }
}

/** The error for a name that is in use. */
export function nameTaken(
  what: string,
  name: string,
  remedy = 'change the one there is',
  cause?: unknown,
): AppError {
  const detail = `Another ${what} is named "${name}" already. Choose another name, or ${remedy}.`
  return new AppError('NAME_TAKEN', { detail, cause })
}

/** The error for a missing record: PRECONDITION_FAILED for a caller who has seen it. */
export function missingRecord(what: string, name: string, hasSeenRecord = false): AppError {
  const code = hasSeenRecord ? 'PRECONDITION_FAILED' : 'RECORD_NOT_FOUND'
  return new AppError(code, { detail: `There is no ${what} named "${name}".` })
}
