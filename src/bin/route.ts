import { AdminFailure } from '../admin/admin-failure.ts'
import { recordPath } from '../admin/management-client.ts'
import { printable } from '../admin/printable.ts'
import { noOptions, routeOptions } from '../config/admin-options.ts'
import type { ConfigOf } from '../config/options.ts'
import { verb, verbCommand } from './admin-command.ts'
import type { Command, Invocation } from './command.ts'
import { doneOutput, listOutput, recordOutput } from './command-output.ts'
import { documentOf } from './read-one-document.ts'

const routes = recordPath('routes')

/** `gatehouse route`: the routes of a running gateway. */
export const route: Command = verbCommand('route', {
  about: 'Shows and changes the routes of a running gateway: upstream APIs, and what is public.',
  verbs: {
    list: verb({
      words: [],
      about: 'all routes',
      options: noOptions,
      run: async ({ client }) => listOutput('route', await client.call('GET', routes)),
    }),
    show: verb({
      words: ['NAME'],
      about: 'one route',
      options: noOptions,
      run: async ({ client, words: [name = ''] }) =>
        recordOutput(await client.call('GET', recordPath('routes', name))),
    }),
    create: verb({
      words: ['NAME'],
      about: 'a new route, from flags or from a file',
      options: routeOptions,
      run: async ({ client, words: [name = ''], values, invocation }) =>
        recordOutput(await client.call('POST', routes, { name, ...contentOf(values, invocation) })),
    }),
    update: verb({
      words: ['NAME'],
      about: 'replaces a route as a whole',
      options: routeOptions,
      async run({ client, words: [name = ''], values, invocation }) {
        const path = recordPath('routes', name)
        await client.call('GET', path)
        return recordOutput(await client.call('PUT', path, { name, ...contentOf(values, invocation) }))
      },
    }),
    delete: verb({
      words: ['NAME'],
      about: 'deletes a route',
      options: noOptions,
      asks: async ({ client, words: [name = ''] }) => {
        const { path, target = 'the gateway itself' } = (await client.call(
          'GET',
          recordPath('routes', name),
        )) as { path: string; target?: string | string[] }
        return printable(`Delete the route “${name}” from ${path} to ${[target].flat().join(', ')}?`)
      },
      async run({ client, words: [name = ''] }) {
        await client.call('DELETE', recordPath('routes', name))
        return doneOutput(`The route “${name}” is deleted.`, { deleted: name })
      },
    }),
  },
})

/** What a route says, by flags or by a file. */
function contentOf({ file, target, ...rest }: ConfigOf<typeof routeOptions>, invocation: Invocation): object {
  const flags = { ...rest, ...(target && { target: target.length === 1 ? target[0] : target }) }
  if (file === undefined) return flags
  if (Object.keys(flags).length > 0) throw new AdminFailure(['Give --file or the other flags, not both.'])
  return documentOf(file, invocation)
}
