/** Kills the program at random moments of uploads, and looks at the next start whether each is wholly there or wholly absent. */
import { isDeepStrictEqual } from 'node:util'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { type StartedProgram, startGatewayProgram } from './start-program.ts'
import { definition, field, type Json, reference } from './temporary-entities.ts'

/** What became of the uploads. */
export interface KillReport {
  moments: number
  /** It was there at the next start. */
  there: number
  /** There was nothing of it at the next start. */
  absent: number
  /** It was answered before the kill. */
  answered: number
  /** Sentences about what was neither; empty where all is well. */
  readonly broken: string[]
}

const secrets = {
  GATEHOUSE_ADMIN_PASSWORD: 'only for killing uploads',
  GATEHOUSE_ADMIN_API_KEY: 'ghk_kill_kill_kill_kill_kill_kill_kill',
}

const required = { field_nullable: false }
const unique = { field_unique: true }

/** Three entities that refer to each other, in a circle too, and what becomes of them. */
const generations: readonly (readonly Json[])[] = [
  [
    definition('Tenant', {
      local: [field('code', 'string', unique), field('note', 'text')],
      refs: [reference('mainPortId', 'Port')],
    }),
    definition('Port', {
      local: [field('name', 'string', required), field('size', 'integer'), field('old', 'string')],
      refs: [reference('tenantId', 'Tenant')],
    }),
    definition('Cable', { refs: [reference('fromId', 'Port'), reference('toId', 'Port')] }),
  ],
  [
    definition('Tenant', {
      local: [
        field('code', 'text'),
        field('note', 'text', { field_default: "'none'" }),
        field('open', 'boolean', { ...required, field_default: 'true' }),
      ],
      refs: [reference('firstPortId', 'Port', 'id', { renamed_from: 'mainPortId' })],
    }),
    definition('Port', {
      local: [field('label', 'string', { ...unique, renamed_from: 'name' }), field('size', 'decimal')],
      refs: [reference('tenantId', 'Tenant')],
    }),
    definition('Wire', {
      refs: [reference('fromId', 'Port'), reference('toId', 'Port'), reference('ownerId', 'Tenant')],
      top: { renamed_from: 'Cable' },
    }),
  ],
]

/** The rows of the first generation, and what they are in the second. */
const records: readonly (readonly (readonly [resource: string, record: Json])[])[] = [
  [
    ['tenants', { id: 't1', code: 'a', note: null, mainPortId: null }],
    ['ports', { id: 'p1', name: 'x', size: 7, old: 'o', tenantId: 't1' }],
    ['cables', { id: 'c1', fromId: 'p1', toId: 'p1' }],
  ],
  [
    ['tenants', { id: 't1', code: 'a', note: null, open: true, firstPortId: null }],
    ['ports', { id: 'p1', label: 'x', size: '7', tenantId: 't1' }],
    ['wires', { id: 'c1', fromId: 'p1', toId: 'p1', ownerId: null }],
  ],
]

/** Kills as often as is asked; every start after a kill is watched for what the kill has left. */
export async function killUploads(
  options: DatabaseOptions,
  moments: number,
  random: () => number,
  progress: (report: KillReport) => void = () => undefined,
): Promise<KillReport> {
  const report: KillReport = { moments: 0, there: 0, absent: 0, answered: 0, broken: [] }
  /** How many generations there are. */
  let present = 0
  /** How long an upload takes, by generation; known once one was not cut off. */
  const durations: number[] = []
  let program = await startGatewayProgram(options, secrets, '--log_level', 'error')
  try {
    while (report.moments < moments) {
      const client = await logOn(program)
      if (present === generations.length) {
        await removeAll(client)
        present = 0
      }
      if (present === 1) await putRecords(client)
      const generation = present
      const begun = performance.now()
      const answer = client('POST', '/manage/entities?allow_destructive=true', generations[generation])
      const usual = durations[generation]
      if (usual === undefined) {
        const { status, body } = await answer
        if (status !== 201)
          throw new Error(`Undisturbed, an upload was answered with ${status}: ${JSON.stringify(body)}`)
        durations[generation] = performance.now() - begun
        present += 1
        continue
      }
      let status: number | undefined
      const answered = answer.then(
        (response) => {
          status = response.status
        },
        () => undefined,
      )
      const moment = random() * usual * 1.1
      await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, moment))])
      await program.stop('SIGKILL')
      await answered
      report.moments += 1
      if (status === 201) report.answered += 1
      progress(report)

      program = await startGatewayProgram(options, secrets, '--log_level', 'error')
      const found = await generationOf(await logOn(program))
      if (found === generation + 1) {
        report.there += 1
        present = found
      } else if (found === generation && status !== 201) report.absent += 1
      else {
        const what = `moment ${report.moments}, ${moment.toFixed(1)} ms into generation ${generation + 1}, answered with ${status}`
        report.broken.push(`${what}: ${typeof found === 'string' ? found : `generation ${found} is there`}`)
        return report
      }
    }
    return report
  } finally {
    await program.stop('SIGTERM')
  }
}

type Client = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: unknown }>

async function logOn({ url }: StartedProgram): Promise<Client> {
  const send = async (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }
  const { body } = await send(
    'POST',
    '/logon',
    { 'x-xaas-api-key': secrets.GATEHOUSE_ADMIN_API_KEY },
    { username: 'admin', password: secrets.GATEHOUSE_ADMIN_PASSWORD },
  )
  const token = (body as Readonly<Record<string, string>>)['x-xaas-auth-token'] ?? ''
  return (method, path, document) => send(method, path, { 'x-xaas-auth-token': token }, document)
}

async function putRecords(client: Client): Promise<void> {
  for (const [resource, record] of records[0] ?? []) {
    const { status, body } = await client('POST', `/apis/${resource}`, record)
    if (status !== 201 && status !== 409)
      throw new Error(`A record was answered with ${status}: ${JSON.stringify(body)}`)
  }
}

/** References of a circle go first. */
async function removeAll(client: Client): Promise<void> {
  const [tenant] = generations[1] ?? []
  const alone = { ...tenant, attributes: { ...(tenant?.attributes as object), ref_fields: [] } }
  await expectStatus(client('POST', '/manage/entities?allow_destructive=true', alone), 201)
  for (const name of ['Wire', 'Port', 'Tenant']) {
    await expectStatus(client('DELETE', `/manage/entities/${name}?allow_destructive=true`), 204)
  }
}

async function expectStatus(
  work: Promise<{ readonly status: number; readonly body: unknown }>,
  expected: number,
): Promise<void> {
  const { status, body } = await work
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${JSON.stringify(body)}`)
}

/** How many generations are there, wholly; otherwise the sentence that says what is not. */
async function generationOf(client: Client): Promise<number | string> {
  const stored = (await client('GET', '/manage/entities')).body as { name: string; definition: Json }[]
  const drift = (await client('GET', '/manage/drift')).body
  const { schema } = (await client('GET', '/graphql')).body as { schema: string }
  const served = [...schema.matchAll(/^type (\w+)_ /gm)].map(([, name]) => name).toSorted()
  if (!isDeepStrictEqual(drift, [])) return `tables and definitions disagree: ${JSON.stringify(drift)}`
  if (!isDeepStrictEqual(served, stored.map(({ name }) => name).toSorted())) {
    return `served are ${served.join(', ')}, and stored ${stored.map(({ name }) => name).join(', ')}`
  }
  if (stored.length === 0) return 0
  const definitions = new Map(stored.map(({ name, definition: json }) => [name, json]))
  const index = generations.findIndex(
    (list) =>
      list.length === stored.length &&
      list.every((json) => isDeepStrictEqual(json, definitions.get(json.name as string))),
  )
  if (index < 0) return `a mixture is stored: ${JSON.stringify(stored.map(({ name }) => name))}`
  for (const [resource, record] of records[index] ?? []) {
    const { body } = await client('GET', `/apis/${resource}`)
    const rows = (body as Json[]).map(({ instance, xid, xname, ...own }) => own)
    // Between the first upload and its records there are none.
    if (rows.length > 0 && !isDeepStrictEqual(rows, [record]))
      return `${resource} has ${JSON.stringify(rows)}`
    if (rows.length === 0 && index > 0) return `${resource} has lost its record`
  }
  return index + 1
}
