import { recordPath } from '../admin/management-client.ts'
import { nameListOptions, noOptions } from '../config/admin-options.ts'
import { verb, verbCommand } from './admin-command.ts'
import type { Command } from './command.ts'
import { doneOutput, listOutput } from './command-output.ts'

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
      about: 'all names, or those selected by --chosen and --kind',
      options: nameListOptions,
      async run({ client, values: { chosen, kind } }) {
        const query = new URLSearchParams({
          limit: '1000',
          ...(chosen && { chosen: 'true' }),
          ...(kind && { kind }),
        })
        return listOutput('name', await client.call('GET', `${path}?${query}`))
      },
    }),
    set: verb({
      words: ['KIND', 'OF', 'NAME'],
      about: 'chooses a name; the old one stays reserved for it',
      options: noOptions,
      async run({ client, words: [kind = '', of = '', name = ''] }) {
        const chosen = await client.call('PUT', path, { kind, of, name })
        return doneOutput(`The ${kind} “${of}” is called “${name}”.`, chosen)
      },
    }),
    unset: verb({
      words: ['KIND', 'OF'],
      about: 'goes back to the default name',
      options: noOptions,
      async run({ client, words: [kind = '', of = ''] }) {
        await client.call('DELETE', `${path}?${new URLSearchParams({ kind, of })}`)
        return doneOutput(`The ${kind} “${of}” has its default name again.`, { kind, of })
      },
    }),
  },
})
