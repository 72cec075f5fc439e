/** References of several columns, of which a caller sees only some: mistakes in them tell neither the names nor the values of the others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH']

const tables = [
  'create table `region` (`country` varchar(8), `code` varchar(8), primary key (`country`, `code`))',
  `create table \`site\` (\`id\` integer primary key, \`country\` varchar(8) default 'germany', \`code\` varchar(8), \`kind\` varchar(8),
    foreign key (\`country\`, \`code\`) references \`region\` (\`country\`, \`code\`))`,
  "insert into `region` values ('germany', 'a'), ('germany', 'b'), ('france', 'a')",
  "insert into `site` values (1, 'france', 'a', 'closed'), (2, 'germany', 'a', 'open')",
]
const regions = { regex: '/(apis/regions|graphql/region)(/.*)?', methods }
const sites = { regex: '/(apis/sites|graphql/site)(/.*)?', methods }
const some = { read: ['id', 'code', 'kind'], write: ['id', 'code'] }
const isOpen = [{ key: 'kind', op: '==', val: 'open' }]
const ofGermany = [{ key: 'country', op: '==', val: 'germany' }]

const authorities = {
  'who never sees the column': [regions, { ...sites, fields: some }],
  'who never sees it, nor all that is referred to': [
    { ...regions, rows: ofGermany },
    { ...sites, fields: some },
  ],
  'who sees it on other records': [regions, { ...sites, fields: some }, { ...sites, rows: isOpen }],
  'whose rights set it': [regions, { ...sites, fields: some, set: { country: 'germany' } }],
}

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product, async (created) => {
      await runStatements(created, tables)
    })
    await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['region', 'site'] } })
  })
  afterAll(() => gateway?.close())

  describe.each(Object.entries(authorities))('one %s', (name, given) => {
    let token: string
    beforeAll(async () => {
      token = await logonAs(
        gateway,
        await createAccount(gateway, name.replaceAll(' ', '-').replace(',', ''), given),
      )
    })
    const as = async (method: string, path: string, body: object) =>
      (await gateway.request(method, path, { token, body })).body
    const mutation = (query: string) => as('POST', '/graphql', { query })

    test.each([
      ['PATCH', () => as('PATCH', '/apis/sites/1', { code: 'zz' })],
      ['PUT', () => as('PUT', '/apis/sites/1', { id: 1, code: 'zz' })],
      ['POST', () => as('POST', '/apis/sites', { id: 10, code: 'zz' })],
      ['POST of a list', () => as('POST', '/apis/sites', [{ id: 10 }, { id: 11, code: 'zz' }])],
      ['update', () => mutation('mutation { update_site(id: 1, input: {code: "zz"}) { id } }')],
      ['create', () => mutation('mutation { create_site(input: {id: 10, code: "zz"}) { id } }')],
    ] as const)('%s', async (_, call) => {
      const told = JSON.stringify(await call())
      expect(told).toContain('RECORD_INVALID')
      expect(told).not.toMatch(/germany|france/)
      if (name !== 'who sees it on other records') expect(told).not.toContain('country')
    })

    test('what is there may be referred to', async () => {
      expect(await as('PATCH', '/apis/sites/2', { code: 'b' })).toMatchObject({ id: 2, code: 'b' })
      expect(await as('PATCH', '/apis/sites/2', { code: 'a' })).toMatchObject({ id: 2, code: 'a' })
    })
  })
})
