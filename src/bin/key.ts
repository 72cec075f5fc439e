import { recordPath } from '../admin/management-client.ts'
import { apiKeyOptions, noOptions } from '../config/admin-options.ts'
import { verb, verbCommand } from './admin-command.ts'
import { doneAnswer, listAnswer, recordAnswer } from './answers.ts'
import type { Command } from './command.ts'

const keysOf = (username: string) => recordPath('accounts', username, 'api-keys')

/** `gatehouse key`: the API keys of an account of a running gateway. */
export const key: Command = verbCommand('key', {
  about: 'Shows, makes and ends the API keys of an account of a running gateway.',
  verbs: {
    list: verb({
      words: ['USERNAME'],
      about: 'the keys of an account: their names, ends and last uses',
      options: noOptions,
      run: async ({ client, words: [username = ''] }) =>
        listAnswer('key', await client.call('GET', keysOf(username))),
    }),
    show: verb({
      words: ['USERNAME', 'NAME'],
      about: 'the same of one key',
      options: noOptions,
      run: async ({ client, words: [username = '', name = ''] }) =>
        recordAnswer(await client.call('GET', recordPath('accounts', username, 'api-keys', name))),
    }),
    create: verb({
      words: ['USERNAME', 'NAME'],
      about: 'another key, which is shown once; those there are stay',
      options: apiKeyOptions,
      run: async ({ client, words: [username = '', name = ''], values }) =>
        recordAnswer(await client.call('POST', keysOf(username), { name, ...values })),
    }),
    renew: verb({
      words: ['USERNAME'],
      about: 'a new key “default”, which is shown once; the old one ends',
      options: noOptions,
      run: async ({ client, words: [username = ''] }) =>
        recordAnswer(await client.call('POST', recordPath('accounts', username, 'api-key'))),
    }),
    delete: verb({
      words: ['USERNAME', 'NAME'],
      about: 'ends a key',
      options: noOptions,
      async run({ client, words: [username = '', name = ''] }) {
        await client.call('DELETE', recordPath('accounts', username, 'api-keys', name))
        return doneAnswer(`The API key “${name}” of “${username}” has ended.`, { deleted: name })
      },
    }),
  },
})
