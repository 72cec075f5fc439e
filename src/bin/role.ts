import { AdminFailure } from '../admin/admin-failure.ts'
import { recordPath } from '../admin/management-client.ts'
import { printable } from '../admin/printable.ts'
import { noOptions, roleOptions } from '../config/admin-options.ts'
import type { ConfigOf } from '../config/options.ts'
import { verb, verbCommand } from './admin-command.ts'
import type { Command, Invocation } from './command.ts'
import { doneOutput, listOutput, recordOutput } from './command-output.ts'
import { documentOf } from './read-one-document.ts'

const roles = recordPath('roles')

/** `gatehouse role`: the roles of a running gateway. */
export const role: Command = verbCommand('role', {
  about:
    'Shows and changes the roles of a running gateway. A role says which paths and methods its accounts may call.',
  verbs: {
    list: verb({
      words: [],
      about: 'all roles, one line per authority',
      options: noOptions,
      run: async ({ client }) => listOutput('role', await client.call('GET', roles)),
    }),
    show: verb({
      words: ['NAME'],
      about: 'one role',
      options: noOptions,
      run: async ({ client, words: [name = ''] }) =>
        recordOutput(await client.call('GET', recordPath('roles', name))),
    }),
    create: verb({
      words: ['NAME'],
      about: 'a new role, from --regex and --methods or from a file',
      options: roleOptions,
      run: async ({ client, words: [name = ''], values, invocation }) =>
        recordOutput(await client.call('POST', roles, { name, ...contentOf(values, invocation) })),
    }),
    update: verb({
      words: ['NAME'],
      about: 'replaces what a role allows, and with --gives what it gives',
      options: roleOptions,
      async run({ client, words: [name = ''], values, invocation }) {
        const path = recordPath('roles', name)
        const { gives, limits, targets } = (await client.call('GET', path)) as Readonly<
          Record<string, unknown>
        >
        // A file replaces the whole role; flags change parts of it.
        const kept = values.file === undefined ? { gives, limits, targets } : {}
        return recordOutput(
          await client.call('PUT', path, { ...kept, name, ...contentOf(values, invocation) }),
        )
      },
    }),
    delete: verb({
      words: ['NAME'],
      about: 'deletes a role that no account has',
      options: noOptions,
      asks: async ({ client, words: [name = ''] }) => {
        const role = (await client.call('GET', recordPath('roles', name))) as {
          authorities: { regex: string }[]
        }
        const paths = role.authorities.map(({ regex }) => regex).join(', ') || 'nothing'
        return printable(`Delete the role “${name}”, which allows ${paths}?`)
      },
      async run({ client, words: [name = ''] }) {
        await client.call('DELETE', recordPath('roles', name))
        return doneOutput(`The role “${name}” is deleted.`, { deleted: name })
      },
    }),
  },
})

/** What a role allows, by flags or by a file. */
function contentOf(
  { regex, methods, gives, limits, targets, file }: ConfigOf<typeof roleOptions>,
  invocation: Invocation,
): object {
  if (file !== undefined) {
    if ([regex, methods, gives, limits, targets].some((value) => value !== undefined))
      throw new AdminFailure([
        'Give --file, or --regex, --methods, --gives, --limits and --targets, not both.',
      ])
    return documentOf(file, invocation)
  }
  if (regex === undefined || methods === undefined)
    throw new AdminFailure([
      'The role allows nothing. Give --regex and --methods, or --file with “authorities”.',
    ])
  const given = isStar(gives) ? '*' : gives
  return {
    authorities: [{ regex, methods }],
    ...(given === undefined ? {} : { gives: given }),
    ...(limits === undefined ? {} : { limits: limits ?? undefined }),
    ...(targets === undefined ? {} : { targets: isStar(targets) ? undefined : targets }),
  }
}

function isStar(names: readonly string[] | undefined): boolean {
  return names?.length === 1 && names[0] === '*'
}
