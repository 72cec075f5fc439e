import {
  adoptionWarningLines,
  entityPlanText,
  entityUploadText,
  lossQuestion,
  planProblemLines,
  readEntityPlan,
} from '../admin/entity-plan.ts'
import { recordPath } from '../admin/management-client.ts'
import { printable } from '../admin/printable.ts'
import {
  adoptionOptions,
  entityDiffOptions,
  entityRemovalOptions,
  entityUploadOptions,
  noOptions,
} from '../config/admin-options.ts'
import { verb, verbCommand } from './admin-command.ts'
import type { Command } from './command.ts'
import { doneOutput, listOutput, recordOutput } from './command-output.ts'
import { exitCodes } from './exit-codes.ts'
import { readOneDocument } from './read-one-document.ts'

const entities = recordPath('entities')

/** `gatehouse entity`: the entity definitions of a running gateway. */
export const entity: Command = verbCommand('entity', {
  about: 'Shows and changes the entity definitions of a running gateway, and thereby its tables and APIs.',
  verbs: {
    list: verb({
      words: [],
      about: 'all entities',
      options: noOptions,
      run: async ({ client }) => listOutput('entity', await client.call('GET', entities)),
    }),
    show: verb({
      words: ['NAME'],
      about: 'one entity with its definition',
      options: noOptions,
      run: async ({ client, words: [name = ''] }) =>
        recordOutput(await client.call('GET', recordPath('entities', name))),
    }),
    plan: verb({
      words: ['FILE'],
      about: 'what an upload would do, with its SQL; nothing is changed',
      options: entityUploadOptions,
      async run({ client, words: [file = ''], values, invocation }) {
        const path = `${entities}?${new URLSearchParams({ dry_run: 'true', ...switchesOf(values) })}`
        return planOutput(await client.call('POST', path, readOneDocument(file, invocation)))
      },
    }),
    apply: verb({
      words: ['FILE'],
      about: 'uploads a definition or a list of them, YAML or JSON: all or nothing',
      options: entityUploadOptions,
      async asks({ client, words: [file = ''], values, invocation }) {
        if (!values.allow_destructive || file === '-') return undefined
        const path = `${entities}?${new URLSearchParams({ dry_run: 'true', ...switchesOf(values) })}`
        return lossQuestion(
          readEntityPlan(await client.call('POST', path, readOneDocument(file, invocation))),
        )
      },
      async run({ client, words: [file = ''], values, invocation, progress }) {
        const path = `${entities}?${new URLSearchParams(switchesOf(values))}`
        progress(`Uploading ${file}`)
        const stored = await client.call('POST', path, readOneDocument(file, invocation))
        return { json: stored, text: entityUploadText(stored) }
      },
    }),
    versions: verb({
      words: ['NAME'],
      about: 'how its definition has changed, newest first; also for deleted entities',
      options: noOptions,
      run: async ({ client, words: [name = ''] }) =>
        listOutput('version', await client.call('GET', recordPath('entities', name, 'versions'))),
    }),
    diff: verb({
      words: ['NAME', 'VERSION'],
      about: 'what a version changed, or how it differs from --to',
      options: entityDiffOptions,
      async run({ client, words: [name = '', version = ''], values: { to } }) {
        const path = recordPath('entities', name, 'versions', version, 'diff')
        return recordOutput(await client.call('GET', `${path}${to === undefined ? '' : `?to=${to}`}`))
      },
    }),
    adopt: verb({
      words: ['TABLES'],
      about: 'makes entities of existing tables, separated by commas; no table is changed',
      options: adoptionOptions,
      async run({ client, words: [tables = ''], values }) {
        const document = { tables: tables.split(',').map((table) => table.trim()) }
        const path = recordPath('entities', 'adopt')
        const adopted = await client.call('POST', `${path}${values.dry_run ? '?dry_run=true' : ''}`, document)
        const answer = values.dry_run
          ? recordOutput(adopted)
          : { json: adopted, text: entityUploadText(adopted, 'Adopted') }
        return { ...answer, problems: adoptionWarningLines(adopted) }
      },
    }),
    delete: verb({
      words: ['NAME'],
      about:
        'drops the table of an entity, unless it was adopted; if it has rows, only with --allow_destructive',
      options: entityRemovalOptions,
      asks: async ({ words: [name = ''], values }) =>
        values.dry_run
          ? undefined
          : printable(
              `Delete the entity “${name}”${values.allow_destructive ? ', and its table with all rows' : ''}?`,
            ),
      async run({ client, words: [name = ''], values }) {
        const path = recordPath('entities', name)
        const switches = switchesOf(values)
        if (values.dry_run) {
          const query = new URLSearchParams({ dry_run: 'true', ...switches })
          return planOutput(await client.call('DELETE', `${path}?${query}`))
        }
        await client.call('DELETE', `${path}?${new URLSearchParams(switches)}`)
        return doneOutput(`The entity “${name}” is deleted.`, { deleted: name })
      },
    }),
  },
})

function planOutput(document: unknown) {
  const plan = readEntityPlan(document)
  return {
    json: document,
    text: entityPlanText(plan),
    problems: planProblemLines(plan),
    exitCode: plan.problems.length === 0 ? exitCodes.fine : exitCodes.failed,
  }
}

function switchesOf({ allow_destructive }: { readonly allow_destructive: boolean }): Record<string, string> {
  return allow_destructive ? { allow_destructive: 'true' } : {}
}
