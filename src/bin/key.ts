import { recordPath } from '../admin/management-client.ts'
import { printable } from '../admin/printable.ts'
import { apiKeyOptions, noOptions } from '../config/admin-options.ts'
import { verb, verbCommand } from './admin-command.ts'
import type { Command } from './command.ts'
import { doneOutput, listOutput, recordOutput } from './command-output.ts'

const keysOf = (username: string) => recordPath('accounts', username, 'api-keys')

/** `gatehouse key`: the API keys of an account of a running gateway. */
export const key: Command = verbCommand('key', {
  about: 'Shows, creates and deletes the API keys of an account of a running gateway.',
  verbs: {
    list: verb({
      words: ['USERNAME'],
      about: 'the keys of an account, with expiry and last use',
      options: noOptions,
      run: async ({ client, words: [username = ''] }) =>
        listOutput('key', await client.call('GET', keysOf(username))),
    }),
    show: verb({
      words: ['USERNAME', 'NAME'],
      about: 'one key',
      options: noOptions,
      run: async ({ client, words: [username = '', name = ''] }) =>
        recordOutput(await client.call('GET', recordPath('accounts', username, 'api-keys', name))),
    }),
    create: verb({
      words: ['USERNAME', 'NAME'],
      about: 'another key, which is shown once; existing ones stay',
      options: apiKeyOptions,
      run: async ({ client, words: [username = '', name = ''], values }) =>
        recordOutput(await client.call('POST', keysOf(username), { name, ...values })),
    }),
    renew: verb({
      words: ['USERNAME'],
      about: 'a new key “default”, which is shown once; the old one ends',
      options: noOptions,
      run: async ({ client, words: [username = ''] }) =>
        recordOutput(await client.call('POST', recordPath('accounts', username, 'api-key'))),
    }),
    delete: verb({
      words: ['USERNAME', 'NAME'],
      about: 'ends a key',
      options: noOptions,
      asks: async ({ words: [username = '', name = ''] }) =>
        printable(`End the API key “${name}” of “${username}”?`),
      async run({ client, words: [username = '', name = ''] }) {
        await client.call('DELETE', recordPath('accounts', username, 'api-keys', name))
        return doneOutput(`The API key “${name}” of “${username}” has ended.`, { deleted: name })
      },
    }),
  },
})
