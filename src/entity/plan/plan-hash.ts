import { createHash } from 'node:crypto'
import { AppError } from '../../errors/app-error.ts'
import type { StoredEntity } from '../../store/entity-store.ts'
import type { ChangePlan } from './change-plan.ts'

/**
 * The hash of a plan: another one if the upload, the stored definitions that it changes, what is to be done, or the number
 * of rows that lose data differ.
 */
export function planHashOf({ entities, problems }: ChangePlan, known: readonly StoredEntity[]): string {
  const stored = new Map(known.map((entity) => [entity.name, entity.definition]))
  return hashOf([
    problems.map(({ pointer, isAllowable }) => [pointer, isAllowable]),
    entities.map(({ upload, storedName, steps, drift }) => [
      upload.json,
      storedName ?? null,
      stored.get(storedName ?? '') ?? null,
      steps.map(({ kind, field, description, isDestructive, rowCount }) => [
        kind,
        field,
        description,
        isDestructive ? rowCount : null,
      ]),
      drift,
    ]),
  ])
}

/** The hash of plain data. */
export function hashOf(data: unknown): string {
  return createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 22)
}

/** Throws PRECONDITION_FAILED if a plan is not the one that was asked for; undefined allows any. */
export function assertPlan(wanted: string | undefined, hash: string): void {
  if (wanted === undefined || wanted === hash) return
  throw new AppError('PRECONDITION_FAILED', {
    detail:
      'This plan is out of date: definitions or tables have changed since it was made. Ask for it again with ?dry_run=true.',
  })
}
