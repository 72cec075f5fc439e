import { AdminFailure } from '../admin/admin-failure.ts'
import { recordPath } from '../admin/management-client.ts'
import { printable } from '../admin/printable.ts'
import { tokenEndOptions, tokenListOptions, tokenOptions } from '../config/admin-options.ts'
import { verb, verbCommand } from './admin-command.ts'
import type { Command } from './command.ts'
import { doneOutput, listOutput, recordOutput } from './command-output.ts'

const tokens = recordPath('tokens')

/** `gatehouse token`: the authentication tokens of a running gateway. */
export const token: Command = verbCommand('token', {
  about: 'Shows, creates and ends the authentication tokens of a running gateway. This command has one too.',
  verbs: {
    list: verb({
      words: [],
      about: 'tokens with their accounts and expiry',
      options: tokenListOptions,
      run: async ({ client, values: { account } }) =>
        listOutput('token', await client.call('GET', `${tokens}${queryOf(account)}`)),
    }),
    create: verb({
      words: ['USERNAME'],
      about: 'a token of an account, which is shown once',
      options: tokenOptions,
      async run({ client, words: [account = ''], values }) {
        const started = await client.call('POST', tokens, { account, ...values })
        const { 'x-xaas-auth-token': token, expire } = started as Readonly<Record<string, string>>
        return { ...recordOutput({ account, token, expire }), json: started }
      },
    }),
    delete: verb({
      words: [],
      about: 'ends the tokens of --account, or --all',
      options: tokenEndOptions,
      asks: async ({ values: { account } }) =>
        account === undefined
          ? 'End the tokens of all accounts?'
          : printable(`End all tokens of the account “${account}”?`),
      async run({ client, values: { account, all } }) {
        if ((account === undefined) !== all) throw new AdminFailure(['Give --account USERNAME, or --all.'])
        const answer = await client.call('DELETE', `${tokens}${queryOf(account)}`)
        const ended = (answer as { readonly ended: number }).ended
        return doneOutput(ended === 1 ? '1 token has ended.' : `${ended} tokens have ended.`, answer)
      },
    }),
  },
})

function queryOf(account: string | undefined): string {
  return account === undefined ? '' : `?${new URLSearchParams({ account })}`
}
