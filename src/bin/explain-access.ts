import { recordPath } from '../admin/management-client.ts'
import { explainAccessOptions } from '../config/admin-options.ts'
import { singleCommand, verb } from './admin-command.ts'
import type { Command } from './command.ts'
import { shown } from './command-output.ts'
import { exitCodes } from './exit-codes.ts'

interface Explanation {
  readonly allowed: boolean
  readonly reason: string
  readonly because: string
}

/** `gatehouse explain-access`: which authority allows a request, or why none does. */
export const explainAccess: Command = singleCommand(
  'explain-access',
  verb({
    words: ['ACCOUNT', 'METHOD', 'PATH'],
    about: `Says whether an account may make a request to a running gateway, and which authority allows it or comes
nearest. The exit code is 0 if it may, and 1 if it may not.`,
    options: explainAccessOptions,
    async run({ client, words: [account = '', method = '', path = ''], values: { row } }) {
      const query = new URLSearchParams({ account, method, path, ...(row === undefined ? {} : { row }) })
      const explanation = await client.call('GET', `${recordPath('explain-access')}?${query}`)
      const { allowed, reason, because: _, ...rest } = explanation as Explanation
      return {
        json: explanation,
        text: (paint) =>
          `${allowed ? paint('good', 'Allowed') : paint('bad', 'Refused')}. ${reason}\n\n${shown(rest)}`,
        exitCode: allowed ? exitCodes.fine : exitCodes.failed,
      }
    },
  }),
)
