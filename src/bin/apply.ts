import { randomBytes } from 'node:crypto'
import { AdminFailure } from '../admin/admin-failure.ts'
import { carryOutPlan, type MadeAccount, type Outcome } from '../admin/declarations/carry-out-plan.ts'
import type { PlannedRecord } from '../admin/declarations/declaration-plan.ts'
import { type DeclarationPlanning, planDeclarations } from '../admin/declarations/plan-declarations.ts'
import { failureLines, madeAccountText, planText } from '../admin/declarations/plan-text.ts'
import { readDeclarations } from '../admin/declarations/read-declarations.ts'
import { applyOptions } from '../config/admin-options.ts'
import { quote } from '../config/quote.ts'
import { singleCommand, verb } from './admin-command.ts'
import type { Command } from './command.ts'
import { paintOf } from './command-output.ts'
import { readDeclarationFiles } from './declaration-files.ts'
import { exitCodes } from './exit-codes.ts'
import { openKeysFile } from './keys-file.ts'
import type { Paint } from './terminal.ts'

/** `gatehouse apply`: makes a running gateway match what files declare. */
export const apply: Command = singleCommand(
  'apply',
  verb({
    words: [],
    about: `Makes roles, accounts, entities and routes of a running gateway match what files declare. Shows the plan first,
and changes only what differs. Records that no file names stay as they are. All entities are uploaded together
or not at all; if a later step fails, the command says what was done, and another run does the rest.`,
    options: applyOptions,
    async run({ client, values, invocation, tell, progress }) {
      const { readText, environment } = invocation
      const reading = readDeclarations(readDeclarationFiles(values.file, readText))
      const planning = planDeclarations(reading.declarations, client, { environment, readText })
      const plan = await soundPlan(reading.mistakes, planning)
      tell(paintPlan(planText(plan), paintOf(invocation)))
      const isDone = plan.every(({ action }) => action === 'none')
      if (values.dry_run || isDone) {
        return {
          json: { plan: plan.map(shownRecord) },
          text: isDone ? '\nNothing to do.' : '\nNothing was changed.',
        }
      }
      const shown: MadeAccount[] = []
      const keep = values.keys_file === undefined ? undefined : openKeysFile(values.keys_file)
      const accountMade = (account: MadeAccount) => {
        if (keep?.(account)) return
        shown.push(account)
        tell(`\n${madeAccountText(account)}`)
      }
      const outcome = await carryOutPlan(plan, client, { randomBytes, accountMade, progress })
      return {
        json: {
          plan: plan.map(shownRecord),
          ...shownOutcome(outcome),
          accounts: shown,
        },
        text: doneText(outcome, shown.length === 0 ? values.keys_file : undefined),
        problems: failureLines(outcome),
        exitCode: outcome.failure === undefined ? exitCodes.fine : exitCodes.failed,
      }
    },
  }),
)

/** Throws `AdminFailure` with all mistakes of the files, even if the gateway cannot be called to check them. */
async function soundPlan(
  readingMistakes: readonly string[],
  planning: Promise<DeclarationPlanning>,
): Promise<readonly PlannedRecord[]> {
  const { plan, mistakes } = await planning.catch((error: unknown) => {
    if (!(error instanceof AdminFailure) || readingMistakes.length === 0) throw error
    return { plan: [], mistakes: error.lines }
  })
  const all = [...readingMistakes, ...mistakes]
  if (all.length > 0) throw new AdminFailure([...all, 'Nothing was changed.'])
  return plan
}

function doneText({ done }: Outcome, keysFile: string | undefined): string {
  if (done.length === 0) return '\nNothing was changed.'
  const hasKeys =
    keysFile !== undefined && done.some(({ kind, action }) => kind === 'account' && action === 'create')
  const kept = hasKeys ? ` The secrets of new accounts are in ${quote(keysFile)}.` : ''
  return `\n${done.length === 1 ? '1 record is' : `${done.length} records are`} done.${kept}`
}

function paintPlan(text: string, paint: Paint): string {
  return text
    .replaceAll(/^create\b/gm, (word) => paint('good', word))
    .replaceAll(/^change\b/gm, (word) => paint('caution', word))
}

function shownRecord(record: PlannedRecord) {
  const { action, kind, name, differs } = record
  const warnings = record.kind === 'role' ? record.warnings : []
  return { action, kind, name, differs, ...(warnings.length > 0 && { warnings }) }
}

function shownOutcome({ done, left, failure }: Outcome) {
  return {
    done: done.map(shownRecord),
    left: left.map(shownRecord),
    failure: failure?.lines ?? null,
  }
}
