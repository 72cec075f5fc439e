/** A plan and its progress, for people. */
import { printable } from '../printable.ts'
import { textTable } from '../text-table.ts'
import type { MadeAccount, Outcome } from './carry-out-plan.ts'
import type { PlannedRecord } from './declaration-plan.ts'

/** A line for each record, and the number of each kind of change. */
export function planText(plan: readonly PlannedRecord[]): string {
  const rows = plan.map(({ action, kind, name, differs }) => [
    wordFor[action],
    kind,
    name,
    differs.join(', '),
  ])
  const counts = (['create', 'change', 'none'] as const)
    .map((action) => ({ action, count: plan.filter((record) => record.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ action, count }) => (action === 'none' ? `${count} unchanged` : `${count} to ${action}`))
  const table = textTable(['', 'KIND', 'NAME', 'WHAT'], rows, 'Nothing is declared.')
  return [table, ...warningLines(plan), ...(counts.length === 0 ? [] : [counts.join(', ')])].join('\n\n')
}

function warningLines(plan: readonly PlannedRecord[]): readonly string[] {
  const lines = plan.flatMap((record) =>
    record.kind === 'role'
      ? record.warnings.map((line) => `Warning, role ${printable(record.name)}: ${line}`)
      : [],
  )
  return lines.length === 0 ? [] : [lines.join('\n')]
}

const wordFor = { create: 'create', change: 'change', none: 'unchanged' } as const

/** The only place where the secrets of a new account are shown. */
export function madeAccountText({ username, password, api_key }: MadeAccount): string {
  const lines = [
    `Made the account ${printable(username)}; keep this, it is not shown again`,
    ...(password === undefined ? [] : [`  password  ${password}`]),
    `  API key   ${printable(api_key)}`,
  ]
  return lines.join('\n')
}

/** What stopped a plan, what was done before, and what is left. */
export function failureLines({ done, left, failure }: Outcome): readonly string[] {
  if (failure === undefined) return []
  const [stopped] = left
  const at = stopped === undefined ? '' : ` at ${stopped.kind === 'entity' ? 'the entities' : named(stopped)}`
  return [
    `The plan stopped${at}:`,
    ...failure.lines.map((line) => `  ${line}`),
    `Done: ${done.length === 0 ? 'nothing' : done.map(named).join(', ')}.`,
    `Not done: ${left.map(named).join(', ')}.`,
    'What is done stays. Fix the cause and run the command again: it does the rest.',
  ]
}

function named({ kind, name }: PlannedRecord): string {
  return `${kind} ${name}`
}
