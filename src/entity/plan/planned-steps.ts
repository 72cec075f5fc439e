import type { Ddl, Effort } from '../../database/dialect.ts'
import { isFinal } from '../../database/table-change.ts'
import type { ChangeStep, PlanProblem } from './change-plan.ts'

/** A step without what follows from its changes. */
type NewStep = Pick<ChangeStep, 'kind' | 'description' | 'changes' | 'rows'> &
  Partial<Pick<ChangeStep, 'field' | 'rowCount' | 'isDestructive'>>

/** Collects the steps of one entity, and the problems. */
export interface PlannedSteps {
  readonly steps: readonly ChangeStep[]
  readonly problems: readonly PlanProblem[]
  add(step: NewStep): void
  /** A permitted problem is ignored. */
  refuse(problem: PlanProblem): void
}

export function createPlanner(ddl: Pick<Ddl, 'effortOf'>, allowDestructive: boolean): PlannedSteps {
  const steps: ChangeStep[] = []
  const problems: PlanProblem[] = []
  return {
    steps,
    problems,
    add(step) {
      steps.push({
        rowCount: 0,
        isDestructive: false,
        ...step,
        statements: [],
        isUndoable: !step.changes.some(isFinal),
        effort: step.changes.map((change) => ddl.effortOf(change)).reduce(greaterEffort, none),
      })
    },
    refuse(problem) {
      if (!(problem.isAllowable && allowDestructive)) problems.push(problem)
    },
  }
}

const none: Effort = { table: 'instant', blocks: 'nothing' }
const tables: readonly Effort['table'][] = ['instant', 'read', 'rewritten']
const blocked: readonly Effort['blocks'][] = ['nothing', 'writes', 'everything']

function greaterEffort(a: Effort, b: Effort): Effort {
  return {
    table: tables.indexOf(a.table) < tables.indexOf(b.table) ? b.table : a.table,
    blocks: blocked.indexOf(a.blocks) < blocked.indexOf(b.blocks) ? b.blocks : a.blocks,
  }
}

/** A problem that `allow_destructive` permits. */
export function destructive(pointer: string, detail: string, what = 'do it all the same'): PlanProblem {
  return { pointer, detail: `${detail} Add ?allow_destructive=true to ${what}.`, isAllowable: true }
}

/** `1 row`, `3 rows`, with a matching verb if given. */
export function rowsText(rows: number, one = '', many = ''): string {
  const verb = rows === 1 ? one : many
  return `${rows === 1 ? '1 row' : `${rows} rows`}${verb === '' ? '' : ` ${verb}`}`
}

/** Drops a table with its rows. */
export function dropTableStep(table: string, rows: number): NewStep {
  return {
    kind: 'dropTable',
    description: `Drop the table "${table}".`,
    changes: [{ kind: 'dropTable', table }],
    rows: rows === 0 ? 'There are no rows.' : `${rowsText(rows, 'is', 'are')} lost.`,
    rowCount: rows,
    isDestructive: rows > 0,
  }
}
