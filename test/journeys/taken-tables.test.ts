/** Tables in the shape of an entity's, made by the program that is being replaced: adopted, and uploaded over. */
import { readFile } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { startTestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const examples: readonly Json[] = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))

const moments: Readonly<Record<string, string>> = {
  SQLite: 'datetime',
  PostgreSQL: 'timestamp without time zone',
  MariaDB: 'datetime',
}

/** As an SQL mapper declares them: with all keys, or with nothing but the columns. */
function tablesOf(product: string, keys: 'all' | 'none'): readonly string[] {
  const isKeyed = keys === 'all'
  const must = isKeyed ? ' not null' : ''
  const moment = moments[product]
  return [
    `create table \`Tenant\` (\`instance\` varchar(255) not null, \`xid\` varchar(255), \`xname\` varchar(255), \`id\` varchar(255), \`createdAt\` ${moment}, \`deletedAt\` ${moment}, primary key (\`instance\`)${isKeyed ? ', unique (`id`)' : ''})`,
    `create table \`Port\` (\`instance\` varchar(255) not null, \`xid\` varchar(255), \`xname\` varchar(255), \`id\` varchar(255), \`name\` varchar(255)${must}, \`isActivated\` integer${must}, \`vlanRanges\` text${must}, \`portType\` varchar(255)${must}, \`operationStatus\` varchar(255), \`tenantId\` varchar(255), primary key (\`instance\`)${isKeyed ? ', unique (`id`), foreign key (`tenantId`) references `Tenant` (`id`)' : ''})`,
    "insert into `Tenant` values ('i-t1', 'x-1', 'tenants', 't1', '2021-06-30 12:00:00.000000', null), ('i-t2', 'x-2', 'tenants', 't2', null, null)",
    "insert into `Port` values ('i-p1', 'x-3', 'ports', 'p1', 'uplink', 1, '[1, 2]', 'trunk', 'Completed', 't1'), ('i-p2', 'x-4', 'ports', 'p2', 'downlink', 0, '[]', 'access', null, 't2')",
  ]
}

const rowsOf = (options: DatabaseOptions) =>
  Promise.all(
    ['Tenant', 'Port'].map((table) =>
      runStatements(options, [`select * from \`${table}\` where instance like 'i-%' order by instance`]),
    ),
  )

async function columnsOf(options: DatabaseOptions): Promise<unknown> {
  const database = await openDatabase(options)
  try {
    const { tables } = await database.driver.read((connection) => database.dialect.introspect(connection))
    return ['Tenant', 'Port'].map((name) => [...(tables.get(name)?.columns.values() ?? [])])
  } finally {
    await database.driver.close()
  }
}

describe.each(products)('$name', (product) => {
  async function start(statements: readonly string[]) {
    let options: DatabaseOptions | undefined
    const gateway = await startTestGateway(product, async (prepared) => {
      options = prepared
      await runStatements(prepared, statements)
    })
    onTestFinished(() => gateway.close())
    if (options === undefined) throw new Error('there is no database')
    const send = gateway.request as (method: string, path: string, options?: unknown) => Promise<Json>
    return { gateway, send, options }
  }

  async function checkRecords(send: (method: string, path: string, options?: unknown) => Promise<Json>) {
    expect((await send('GET', '/apis/ports/p1')).body).toMatchObject({
      instance: 'i-p1',
      id: 'p1',
      isActivated: true,
      vlanRanges: [1, 2],
      tenantId: 't1',
    })
    expect((await send('GET', '/apis/tenants?createdAt=2021-06-30T12:00:00')).body).toMatchObject([
      { id: 't1', createdAt: '2021-06-30T12:00:00' },
    ])
    const port = {
      id: 'p3',
      name: 'third',
      isActivated: true,
      vlanRanges: [{ a: 1 }],
      portType: 'trunk',
      tenantId: 't2',
    }
    const created = await send('POST', '/apis/ports', { body: port })
    expect([created.status, created.body]).toEqual([201, expect.objectContaining(port)])
    expect(created.body.instance).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    const found = (await send('GET', '/apis/ports/p3')).body
    expect(found).toEqual(created.body)
    expect((await send('POST', '/apis/ports', { body: port })).status).toBe(409)
    const changed = await send('PATCH', '/apis/ports/p3', { body: { isActivated: false, vlanRanges: [] } })
    expect([changed.status, changed.body.isActivated, changed.body.vlanRanges]).toEqual([200, false, []])
    expect((await send('PATCH', '/apis/ports/p3', { body: { name: null } })).status).toBe(422)
    expect((await send('POST', '/apis/tenants', { body: { id: 't3' } })).status).toBe(201)
    expect((await send('DELETE', '/apis/tenants/t1')).status).toBe(409)
  }

  test.each(['all', 'none'] as const)(
    'the definitions take the tables as they are: keys %s',
    async (keys) => {
      const { gateway, send, options } = await start(tablesOf(product.name, keys))
      const [rows, columns] = [await rowsOf(options), await columnsOf(options)]
      const plan = await send('POST', '/manage/entities?dry_run=true', { body: examples })
      expect(plan.body.problems).toEqual([])
      const kinds = plan.body.entities.map(({ name, steps }: Json) => [
        name,
        steps.map(({ kind }: Json) => kind),
      ])
      const added = keys === 'all' ? [[], []] : [['addUnique'], ['addUnique', 'addReference']]
      expect(kinds).toEqual([
        ['Tenant', ['takeTable', ...(added[0] ?? [])]],
        ['Port', ['takeTable', ...(added[1] ?? [])]],
      ])
      const uploaded = await send('POST', '/manage/entities', { body: examples })
      expect([uploaded.status, uploaded.body]).toEqual([201, expect.anything()])
      expect(await rowsOf(options)).toEqual(rows)
      expect(await columnsOf(options)).toEqual(columns)

      await checkRecords(send)
      expect(
        await gateway.graphql(
          '{ Tenant(id: "t1") { edges { node { instance xid xname createdAt portCollection { edges { node { id isActivated vlanRanges tenant { id } } } } } } } }',
        ),
      ).toEqual({
        data: {
          Tenant: {
            edges: [
              {
                node: {
                  instance: 'i-t1',
                  xid: 'x-1',
                  xname: 'tenants',
                  createdAt: '2021-06-30T12:00:00',
                  portCollection: {
                    edges: [
                      { node: { id: 'p1', isActivated: 1, vlanRanges: '[1, 2]', tenant: { id: 't1' } } },
                    ],
                  },
                },
              },
            ],
          },
        },
      })
      expect(await gateway.gateway.schemaText()).toMatch(/isActivated: Int\b/)

      const again = await send('POST', '/manage/entities?dry_run=true', { body: examples })
      expect(again.body.entities.map(({ steps, drift }: Json) => [steps[0].kind, drift])).toEqual([
        ['none', undefined],
        ['none', undefined],
      ])
      const more = structuredClone(examples[0])
      more.attributes.local_fields.push(field('note', 'string'))
      expect((await send('POST', '/manage/entities', { body: more })).status).toBe(201)
      expect((await send('PATCH', '/apis/tenants/t1', { body: { note: 'n' } })).body).toMatchObject({
        note: 'n',
      })
    },
  )

  test.runIf(product.name === 'SQLite')(
    'a table of which more is said than could be kept is made again only when that is allowed',
    async () => {
      const [tenant = '', port = '', ...rows] = tablesOf(product.name, 'none')
      const checked = port.replace('`name` varchar(255)', "`name` varchar(255) check (`name` <> '')")
      const { send } = await start([tenant, checked, ...rows])
      const refused = await send('POST', '/manage/entities', { body: examples })
      expect([refused.status, refused.body.errors]).toEqual([
        409,
        [{ pointer: '/1', detail: expect.stringMatching(/recreate the table "Port".*allow_destructive/) }],
      ])
      const allowed = await send('POST', '/manage/entities?allow_destructive=true', { body: examples })
      expect(allowed.status).toBe(201)
    },
  )

  test('the tables are adopted by their names', async () => {
    const { send, options } = await start(tablesOf(product.name, 'all'))
    const [rows, columns] = [await rowsOf(options), await columnsOf(options)]
    const adopted = await send('POST', '/manage/entities/adopt', { body: { tables: ['Tenant', 'Port'] } })
    expect([adopted.status, adopted.body]).toEqual([201, expect.anything()])
    expect(await rowsOf(options)).toEqual(rows)
    expect(await columnsOf(options)).toEqual(columns)
    expect((await send('GET', '/apis/ports/p1')).body).toMatchObject({ id: 'p1', isActivated: 1 })
    // Definitions say more than tables: what is true or false, what is a list.
    const uploaded = await send('POST', '/manage/entities', { body: examples })
    expect([uploaded.status, uploaded.body]).toEqual([201, expect.anything()])
    await checkRecords(send)
  })

  test('what is in the way is reported, and nothing is changed', async () => {
    const { send, options } = await start([
      'create table `Odd` (`instance` varchar(20) not null, `xid` varchar(255), `xname` integer, `id` varchar(255) primary key, `flag` integer, `size` varchar(20), `code` varchar(20) unique, `extra` integer not null)',
      "insert into `Odd` values ('i-1', null, null, 'a', 7, '1', 'c', 1)",
      'create table `Twice` (`instance` varchar(255) not null primary key, `xid` varchar(255), `xname` varchar(255), `id` varchar(255))',
      "insert into `Twice` values ('i-1', null, null, 'a'), ('i-2', null, null, 'a')",
    ])
    const odd = definition('Odd', {
      local: [field('flag', 'boolean'), field('size', 'integer'), field('code', 'string')],
    })
    const refused = await send('POST', '/manage/entities?allow_destructive=true', {
      body: [odd, definition('Twice', {})],
    })
    const said = refused.body.errors.map(({ pointer, detail }: Json) => `${pointer} ${detail}`)
    const made = 'already that no entity definition made\\.'
    const expected = [
      `^/0/name .* ${made} The primary key of the table is not "instance"\\.$`,
      `^/0/name .* ${made} The column "instance" has the type .* in the database, and must be able to store 36 characters\\.$`,
      `^/0/name .* ${made} The column "xname" has the type .*`,
      `^/0/attributes/local_fields/0 .* The column "flag" would be a boolean, and a row holds something else than 0 and 1\\.$`,
      `^/0/attributes/local_fields/1 .* The column "size" of type .* takes string or text or array or object, and not integer\\.$`,
      `^/0/name .* The definition does not have the column "extra", which is not nullable and has no default`,
      `^/0/attributes/local_fields/2 .* The column "code" is unique in the database\\.`,
      `^/1/attributes/identifier/field_name 2 rows share a value with another row\\.`,
    ].filter((text) => product.name !== 'PostgreSQL' || !text.includes('36 characters'))
    expect(said).toEqual(expected.map((text) => expect.stringMatching(new RegExp(text))))
    expect(refused.status).toBe(409)
    const adoption = await send('POST', '/manage/entities/adopt', { body: { tables: ['Odd', 'Twice'] } })
    expect(adoption.status).toBe(409)
    expect((await send('GET', '/manage/entities')).body).toEqual([])
    expect(await runStatements(options, ['select count(*) from `Odd`'])).toHaveLength(1)
  })
})
