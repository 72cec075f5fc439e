/** What an upload would do, as the gateway says it. */
import type { components } from '../../api/gateway-api.d.ts'

/** The plan of an upload. */
export type EntityPlan = components['schemas']['EntityPlan']

/** A step of a plan. */
export type PlanStep = components['schemas']['EntityStep']

/** A step by which rows lose data. */
export interface Loss {
  readonly entity: string
  readonly description: string
  readonly rows: string
}

/** All steps by which rows lose data. */
export function lossesOf({ entities }: EntityPlan): readonly Loss[] {
  return entities.flatMap(({ name, steps }) =>
    steps
      .filter(({ destructive }) => destructive)
      .map(({ description, rows }) => ({ entity: name, description, rows })),
  )
}

/** Whether nothing would change. */
export function isIdle({ entities, problems }: EntityPlan): boolean {
  return problems.length === 0 && entities.every(({ steps }) => steps.every(({ kind }) => kind === 'none'))
}

/** Whether a plan is refused only for losses that can be allowed. */
export function isAllowable({ problems }: EntityPlan): boolean {
  return problems.length > 0 && problems.every(({ allowed_by }) => allowed_by !== null)
}
