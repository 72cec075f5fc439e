import { randomBytes } from 'node:crypto'
import { AdminFailure } from '../admin/admin-failure.ts'
import { makePassword } from '../admin/make-password.ts'
import { recordPath } from '../admin/management-client.ts'
import { printable } from '../admin/printable.ts'
import { accountChangeOptions, newAccountOptions, noOptions } from '../config/admin-options.ts'
import { accountReset } from './account-reset.ts'
import { verb, verbCommand } from './admin-command.ts'
import type { Command } from './command.ts'
import { doneOutput, listOutput, recordOutput } from './command-output.ts'

const accounts = recordPath('accounts')

/** `gatehouse account`: the accounts of a running gateway. */
export const account: Command = verbCommand('account', {
  about: 'Shows and changes the accounts of a running gateway.',
  verbs: {
    list: verb({
      words: [],
      about: 'all accounts',
      options: noOptions,
      run: async ({ client }) => listOutput('account', await client.call('GET', accounts)),
    }),
    show: verb({
      words: ['USERNAME'],
      about: 'one account',
      options: noOptions,
      run: async ({ client, words: [username = ''] }) =>
        recordOutput(await client.call('GET', recordPath('accounts', username))),
    }),
    create: verb({
      words: ['USERNAME'],
      about: 'a new account; its API key and a generated password are shown once',
      options: newAccountOptions,
      async run({ client, words: [username = ''], values }) {
        const { role, expire_days, metadata, limits, new_password } = values
        const password = new_password ?? makePassword(randomBytes)
        const body = { username, password, role: oneOrMore(role), expire_days, metadata, limits }
        const made = (await client.call('POST', accounts, body)) as object
        return recordOutput(new_password === undefined ? { ...made, password } : made)
      },
    }),
    update: verb({
      words: ['USERNAME'],
      about: 'changes what the flags name; a new password ends the tokens of the account',
      options: accountChangeOptions,
      async run({ client, words: [username = ''], values }) {
        const { role, expire_days, metadata, limits, new_password: password } = values
        const changes = { password, role: role && oneOrMore(role), expire_days, metadata, limits }
        if (Object.values(changes).every((value) => value === undefined))
          throw new AdminFailure([
            'Nothing to change. Give --role, --new_password, --expire_days, --limits or --metadata.',
          ])
        return recordOutput(await client.call('PATCH', recordPath('accounts', username), changes))
      },
    }),
    disable: verb({
      words: ['USERNAME'],
      about: 'disables an account until it is enabled; its tokens end, its API keys and everything else stay',
      options: noOptions,
      run: async ({ client, words: [username = ''] }) =>
        recordOutput(await client.call('PATCH', recordPath('accounts', username), { disabled: true })),
    }),
    enable: verb({
      words: ['USERNAME'],
      about: 'lets a disabled account log on again',
      options: noOptions,
      run: async ({ client, words: [username = ''] }) =>
        recordOutput(await client.call('PATCH', recordPath('accounts', username), { disabled: false })),
    }),
    'remove-second-factor': verb({
      words: ['USERNAME'],
      about: 'removes the second factor of an account, for a person who has lost the authenticator app',
      options: noOptions,
      asks: async ({ words: [username = ''] }) =>
        printable(`Remove the second factor of “${username}”, so that the password alone is enough?`),
      async run({ client, words: [username = ''] }) {
        await client.call('DELETE', `${recordPath('accounts', username)}/second-factor`)
        return doneOutput(`The second factor of “${username}” is removed.`, { removed: username })
      },
    }),
    reset: accountReset,
    delete: verb({
      words: ['USERNAME'],
      about: 'deletes an account, its API keys and its tokens',
      options: noOptions,
      asks: async ({ client, words: [username = ''] }) => {
        const { role } = (await client.call('GET', recordPath('accounts', username))) as { role: unknown }
        const roles = [role].flat().join(', ')
        return printable(`Delete the account “${username}” (${roles}), its API keys and its tokens?`)
      },
      async run({ client, words: [username = ''] }) {
        await client.call('DELETE', recordPath('accounts', username))
        return doneOutput(`The account “${username}” is deleted.`, { deleted: username })
      },
    }),
  },
})

function oneOrMore(names: readonly string[]): string | readonly string[] {
  const [only] = names
  return names.length === 1 && only !== undefined ? only : names
}
