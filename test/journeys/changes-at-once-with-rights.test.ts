/** Changes at the same time by a role that is given some fields on some rows only: none is lost, as for everyone else. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const port = definition('Port', { local: [field('name', 'string'), field('secret', 'string')] })
const paths = { regex: '/apis/ports(/.*)?|/graphql/Port', methods: ['GET', 'POST', 'PATCH', 'DELETE'] }
/** The secret is given of ports with certain names only. */
const authorities = [
  { ...paths, rows: [{ key: 'name', op: 'starts', val: 'open' }] },
  { ...paths, fields: { read: ['id', 'name', 'xid'], write: ['name'] } },
]

interface Written {
  readonly data: Readonly<Record<string, { readonly count: number } | null>> | null
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[]
}

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let options: DatabaseOptions
  let token: string

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (created) => {
      options = created
    })
    expect((await gateway.request('POST', '/manage/entities', { body: port })).status).toBe(201)
    token = await logonAs(gateway, await createAccount(gateway, 'member', authorities))
  })
  afterAll(() => gateway.close())

  beforeEach(async () => {
    const ports = ['p1', 'p2', 'p3'].map((id) => ({ id, name: 'n', secret: 's' }))
    const { errors } = (await gateway.graphql('mutation { deleteAll_Port(where: {}) { count } }')) as Written
    expect(errors).toBeUndefined()
    expect((await gateway.request('POST', '/apis/ports', { body: ports })).status).toBe(201)
  })

  const send = async (query: string, variables: object) =>
    (await gateway.request('POST', '/graphql', { body: { query, variables }, token })).body as Written
  const read = (id: string) => gateway.request('GET', `/apis/ports/${id}`, { token })

  test('of many changes where a record is as it was read exactly one is made', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { xid } = (await read('p1')).body as { readonly xid: string | null }
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          send(
            'mutation ($xid: String, $name: String) { updateAll_Port(where: { id: { eq: "p1" }, xid: { eq: $xid } }, input: { name: $name }) { count } }',
            { xid, name: `n${index}` },
          ),
        ),
      )
      const counts = answers.map(({ data }) => data?.updateAll_Port?.count)
      expect(counts.sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
    }
  })

  test.runIf(product.runningStatements !== undefined)(
    'a change that waited compares the ETag with the newest version of the record',
    async () => {
      const etag = (await read('p1')).headers.get('etag')
      const { driver } = await openDatabase(options)
      let mutation: Promise<Written> | undefined
      try {
        await driver.transaction(async (connection) => {
          await connection.query({
            sql: `select id from ${product.name === 'MariaDB' ? 'Port' : '"Port"'} where id = 'p3' for update`,
            parameters: [],
          })
          mutation = send(
            `mutation ($etag: String) {
              a: update_Port(id: "p2", input: { name: "a" }) { id name }
              b: update_Port(id: "p3", input: { name: "b" }) { id name }
              c: update_Port(id: "p1", ifMatch: $etag, input: { name: "c" }) { id name }
            }`,
            { etag },
          )
          await vi.waitFor(
            async () => expect(await product.runningStatements?.(options)).toBeGreaterThan(0),
            60_000,
          )
          const other = await gateway.request('PATCH', '/apis/ports/p1', { body: { name: 'other' }, token })
          expect(other.status).toBe(200)
        })
      } finally {
        await driver.close()
      }
      const { data, errors } = (await mutation) ?? { data: null }
      expect([data, errors?.map(({ extensions }) => extensions.code)]).toEqual([
        null,
        ['PRECONDITION_FAILED'],
      ])
      expect((await read('p1')).body).toMatchObject({ name: 'other' })
      expect((await read('p2')).body).toMatchObject({ name: 'n' })
    },
  )
})
