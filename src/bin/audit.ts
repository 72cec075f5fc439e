import { recordPath } from '../admin/management-client.ts'
import { auditOptions } from '../config/admin-options.ts'
import { verb, verbCommand } from './admin-command.ts'
import type { Command } from './command.ts'
import { listOutput } from './command-output.ts'

/** `gatehouse audit`: who changed what in a running gateway. */
export const audit: Command = verbCommand('audit', {
  about: 'Shows who changed what in a running gateway, when, and from where: newest first.',
  usual: 'list',
  verbs: {
    list: verb({
      words: [],
      about: 'the newest entries, or those older than --before',
      options: auditOptions,
      async run({ client, values: { limit, before } }) {
        const query = new URLSearchParams({ limit: String(limit), ...(before && { before }) })
        return listOutput('audit', await client.call('GET', `${recordPath('audit')}?${query}`))
      },
    }),
  },
})
