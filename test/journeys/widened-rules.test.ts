/** Roles that may change the fields that decide what they may do: the answer warns of it, and so does the plan of `apply`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { runCommand } from '../support/run-command.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const tenant = definition('Tenant', { local: [field('name', 'string'), field('plan', 'string')] })
const port = definition('Port', {
  local: [
    field('name', 'string'),
    field('status', 'string'),
    field('secret', 'string'),
    field('meta', 'object'),
  ],
  refs: [reference('tenantId', 'Tenant')],
})

const ports = '/apis/ports(/.*)?'
const published = [{ key: 'status', op: '==', val: 'published' }]
const ofTenant = [{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }]
const reading = { regex: ports, methods: ['GET'], rows: published }
const changing = { regex: '/apis/ports/.*', methods: ['PATCH'] }

const warningOf = (rule: string, name: string, writer: string) =>
  `The authority "${rule}" admits records by the field "${name}", and the authority "${writer}" lets it be changed in other records, too: accounts with the role can bring these into their reach. If that is not meant, leave the field out of "write".`

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const { status } = await gateway.request('POST', '/manage/entities', { body: [tenant, port] })
    expect(status).toBe(201)
  })
  afterAll(() => gateway?.close())

  const warningsOf = async (authorities: readonly object[]) => {
    const answers = ['?dry_run=true', ''].map(async (query) => {
      const { status, body } = await gateway.request('PUT', `/manage/roles/widened${query}`, {
        body: { authorities },
      })
      expect([200, 201]).toContain(status)
      return (body as { warnings?: readonly string[] }).warnings
    })
    const [planned, written] = await Promise.all(answers)
    expect(planned).toEqual(written)
    return written
  }

  test.each<[string, readonly object[], readonly string[] | undefined]>([
    [
      'a field that admits the record, in all records',
      [reading, { ...changing, fields: { read: ['id'], write: ['status'] } }],
      [warningOf(ports, 'status', changing.regex)],
    ],
    [
      'a field that admits more fields of the record',
      [
        { regex: ports, methods: ['GET'], fields: { read: ['id', 'name'] } },
        { ...reading, fields: { read: ['secret'] } },
        { ...changing, rows: ofTenant, fields: { write: ['name', 'status'] } },
      ],
      [warningOf(ports, 'status', changing.regex)],
    ],
    [
      'a reference that a rule leads through, and a field at its end',
      [
        { regex: ports, methods: ['GET'], rows: [{ key: 'tenant.plan', op: '==', val: 'paid' }] },
        { ...changing, fields: { write: ['tenantId'] } },
        { regex: '/apis/tenants/.*', methods: ['PUT'] },
      ],
      [
        warningOf(ports, 'tenantId', changing.regex),
        warningOf(ports, 'id', '/apis/tenants/.*'),
        warningOf(ports, 'plan', '/apis/tenants/.*'),
      ],
    ],
    [
      'what a quantifier asks about',
      [
        {
          regex: '/apis/tenants',
          methods: ['GET'],
          rows: [{ key: 'portCollection', op: 'some', val: published }],
        },
        { regex: ports, methods: ['PATCH'], fields: { write: ['status'] } },
      ],
      [
        'The authority "/apis/tenants" allows GET on the list only, and not on the records below it. If they are meant too, write "/apis/tenants(/.*)?".',
        warningOf('/apis/tenants', 'status', ports),
      ],
    ],
    [
      'a field whose content admits the record',
      [
        { ...reading, rows: [{ key: 'meta->owner.name', op: '==', val: 'x' }] },
        { ...changing, fields: { write: ['meta'] } },
      ],
      [warningOf(ports, 'meta', changing.regex)],
    ],
    ['other fields', [reading, { ...changing, fields: { write: ['name'] } }], undefined],
    ['it in records that the rule admits', [reading, { ...changing, rows: published }], undefined],
    [
      'it in records that the rule and more admit',
      [reading, { ...changing, rows: [...ofTenant, ...published] }],
      undefined,
    ],
    ['it by the same authority', [{ ...reading, methods: ['GET', 'PATCH'] }], undefined],
    [
      'it in records on which the rule adds nothing',
      [reading, { regex: ports, methods: ['GET', 'PATCH'], rows: ofTenant }],
      undefined,
    ],
    ['it in another entity', [reading, { regex: '/apis/tenants/.*', methods: ['PATCH'] }], undefined],
    ['it in new records', [reading, { regex: '/apis/ports', methods: ['POST'] }], undefined],
  ])('who may change %s', async (_name, authorities, warnings) => {
    expect(await warningsOf(authorities)).toEqual(warnings)
  })

  test('the plan of apply has the warning, in text and JSON', async () => {
    const folder = await temporaryFolder()
    onTestFinished(folder.remove)
    const file = join(folder.path, 'roles.json')
    const roles = [
      { name: 'declared', authorities: [reading, { ...changing, fields: { write: ['status'] } }] },
      { name: 'plain', authorities: [reading] },
    ]
    await writeFile(file, JSON.stringify({ roles }))
    const warning = warningOf(ports, 'status', changing.regex)
    const text = await runCommand(['apply', '-f', file, '--dry-run'], gateway)
    expect(text).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining(`Warning, role declared: ${warning}\n`),
    })
    const json = await runCommand(['apply', '-f', file, '--dry-run', '--json'], gateway)
    expect(JSON.parse(json.output)).toEqual({
      plan: [
        { action: 'create', kind: 'role', name: 'declared', differs: [], warnings: [warning] },
        { action: 'create', kind: 'role', name: 'plain', differs: [] },
      ],
    })
  })
})
