import { AdminFailure } from '../admin/admin-failure.ts'
import type { Invocation } from './command.ts'

/**
 * Asks before something is lost, if a person can be asked and `isAgreed` is false. Throws `AdminFailure` if the person
 * does not agree. Without a question there is nothing to lose.
 */
export async function confirm(
  { terminal }: Pick<Invocation, 'terminal'>,
  isAgreed: boolean,
  findQuestion: () => Promise<string | undefined>,
): Promise<void> {
  if (isAgreed || terminal?.confirm === undefined) return
  const question = await findQuestion()
  if (question === undefined) return
  if (!(await terminal.confirm(terminal.paintError('caution', question)))) {
    throw new AdminFailure(['Nothing was changed.'])
  }
}
