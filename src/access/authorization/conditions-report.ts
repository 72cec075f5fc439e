import type { Mistake } from '../../errors/app-error.ts'
import type { Authority } from './authority.ts'

/** What is wrong or doubtful in the conditions of authorities, compared with the tables. */
export interface ConditionsReport {
  /** Their pointers begin with `/authorities`. */
  readonly mistakes: readonly Mistake[]
  /** In sentences. */
  readonly warnings: readonly string[]
}

/** Compares the conditions of authorities with the tables that are served now. */
export type ConditionsCheck = (authorities: readonly Authority[]) => ConditionsReport

/** For a gateway that serves no tables yet. */
export const nothingToCheck: ConditionsCheck = () => ({ mistakes: [], warnings: [] })
