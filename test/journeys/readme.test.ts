import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StartedProgram, startProgram } from '../support/start-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let program: StartedProgram
/** What each command of the README printed, one after the other. */
let printed: readonly string[]

beforeAll(async () => {
  folder = await temporaryFolder()
  program = await startProgram(folder.path)
  const [start, settings, ...blocks] = shellBlocks(
    firstFiveMinutes(await readFile(`${root}README.md`, 'utf8')),
  )
  expect(start).toBe('npm start')
  expect(settings).toBe("API_KEY='ghk_…'\nPASSWORD='…'\nURL=http://localhost:9000")
  const shown = (label: string) => new RegExp(`^  ${label} +(\\S+)$`, 'm').exec(program.report)?.[1] ?? ''
  const script = [
    'set -eu',
    'curl() { command curl "$@"; echo; }',
    `PATH="${process.execPath.replace(/\/[^/]+$/, '')}:$PATH"`,
    `API_KEY='${shown('API key')}'`,
    `PASSWORD='${shown('password')}'`,
    `URL=${program.url}`,
    ...blocks,
  ].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: root })
  printed = stdout.split('\n')
})
afterAll(async () => {
  await program?.stop('SIGTERM')
  await folder?.remove()
})

/** The part of the README that anybody can do as it stands. */
function firstFiveMinutes(markdown: string): string {
  return /^## The first five minutes\n(.*?)^## /ms.exec(markdown)?.[1] ?? ''
}

function shellBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, text = '']) => text)
}

const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
const system = { instance: expect.any(String), xid: expect.any(String) }
const p1 = {
  ...system,
  xname: 'POST /apis/ports',
  id: 'p1',
  name: 'uplink-1',
  isActivated: true,
  vlanRanges: ['1-10'],
  portType: 'trunk',
  operationStatus: null,
  tenantId: 'acme',
}
const p2 = {
  ...p1,
  id: 'p2',
  name: 'uplink-2',
  isActivated: false,
  vlanRanges: [],
  portType: 'access',
  operationStatus: 'Processing',
}
const acme = { ...system, xname: 'POST /apis/tenants', id: 'acme', createdAt: aTime, deletedAt: null }

test('each command of the first five minutes answers what the README says', () => {
  const lines = [...printed]
  const next = () => lines.shift() ?? ''
  const nextJson = () => JSON.parse(next()) as unknown

  const plan = nextJson() as { entities: { name: string; steps: { kind: string; sql: string[] }[] }[] }
  expect(plan.entities.map(({ name, steps }) => [name, steps.map(({ kind }) => kind)])).toEqual([
    ['Tenant', ['createTable']],
    ['Port', ['createTable']],
  ])
  expect(nextJson()).toMatchObject([
    { name: 'Tenant', resource: '/apis/tenants' },
    { name: 'Port', resource: '/apis/ports' },
  ])

  expect(nextJson()).toEqual(acme)
  expect(nextJson()).toEqual([p1, p2])
  expect(nextJson()).toEqual([p1])
  expect(nextJson()).toEqual({ ...p2, operationStatus: 'Completed', xname: 'PATCH /apis/ports/{id}' })

  const schemaEnd = lines.findIndex((line) => line.startsWith('{"data"'))
  expect(lines.splice(0, schemaEnd).join('\n')).toContain('type Port_ implements CustomNode {')
  expect(nextJson()).toEqual({
    data: {
      Tenant: {
        edges: [
          {
            node: {
              id: 'acme',
              portCollection: {
                totalCount: 2,
                edges: [
                  { node: { id: 'p1', name: 'uplink-1', vlanRanges: '["1-10"]' } },
                  { node: { id: 'p2', name: 'uplink-2', vlanRanges: '[]' } },
                ],
              },
            },
          },
        ],
      },
    },
  })
  expect(nextJson()).toEqual({
    data: {
      Port: {
        edges: [{ cursor: expect.any(String), node: { id: 'p2', tenant: { id: 'acme' } } }],
        pageInfo: { hasNextPage: true },
      },
    },
  })

  expect(nextJson()).toEqual({
    name: 'reader',
    authorities: [{ regex: '/apis/ports(/.*)?', methods: ['GET'] }],
  })
  expect(nextJson()).toEqual(p1)
  expect(next()).toBe('{}401')
  expect(next()).toBe('')
  expect(nextJson()).toEqual({
    name: 'open-tenants',
    path: '/apis/tenants',
    methods: ['GET'],
    scope: 'public',
  })
  expect(nextJson()).toEqual([acme])
  expect(lines).toEqual([''])
})
