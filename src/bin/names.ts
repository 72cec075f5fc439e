import { recordPath } from '../admin/management-client.ts'
import { nameListOptions, noOptions } from '../config/admin-options.ts'
import { verb, verbCommand } from './admin-command.ts'
import { doneAnswer, listAnswer } from './answers.ts'
import type { Command } from './command.ts'

const path = recordPath('names')

/** `gatehouse names`: the names that a running gateway has in GraphQL. */
export const names: Command = verbCommand('names', {
  about: `Shows and chooses the names of a running gateway in GraphQL. KIND is table, field, reference or collection; OF is
a table, for a field table.column, for a reference or collection the columns of its foreign key
(table.column,column). A table of another schema is schema.table.`,
  usual: 'list',
  verbs: {
    list: verb({
      words: [],
      about: 'all names, or those that --chosen and --kind say',
      options: nameListOptions,
      async run({ client, values: { chosen, kind } }) {
        const query = new URLSearchParams({
          limit: '1000',
          ...(chosen && { chosen: 'true' }),
          ...(kind && { kind }),
        })
        return listAnswer('name', await client.call('GET', `${path}?${query}`))
      },
    }),
    set: verb({
      words: ['KIND', 'OF', 'NAME'],
      about: 'chooses a name; that which it had stays its own',
      options: noOptions,
      async run({ client, words: [kind = '', of = '', name = ''] }) {
        const chosen = await client.call('PUT', path, { kind, of, name })
        return doneAnswer(`The ${kind} “${of}” is called “${name}”.`, chosen)
      },
    }),
    unset: verb({
      words: ['KIND', 'OF'],
      about: 'goes back to the name that the rules give',
      options: noOptions,
      async run({ client, words: [kind = '', of = ''] }) {
        await client.call('DELETE', `${path}?${new URLSearchParams({ kind, of })}`)
        return doneAnswer(`No name is chosen for the ${kind} “${of}” any more.`, { kind, of })
      },
    }),
  },
})
