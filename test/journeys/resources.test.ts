import { describe, expect, test } from 'vitest'
import { keptDatabases, plainEntity, run } from '../support/kept-database.ts'
import { anyProduct } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import type { TestGateway } from '../support/test-gateway.ts'

const kept = keptDatabases()

describe.each(anyProduct('SQLite'))('$name', (product) => {
  const start = async () => kept.start(product, await kept.create(product))

  test('entities are published at the plural of their names', async () => {
    const gateway = await start()
    const names = ['Person', 'News', 'Series', 'Analysis', 'Child']
    expect(await resourcesOf(gateway, names.map(plainEntity))).toEqual([
      '/apis/people',
      '/apis/news',
      '/apis/series',
      '/apis/analyses',
      '/apis/children',
    ])
    const made = await gateway.request('POST', '/apis/people', { body: { id: 'ada' } })
    expect([made.status, made.headers.get('location')]).toEqual([201, `/apis/people/ada`])
  })

  test('a definition chooses where it is published, and keeps it', async () => {
    const gateway = await start()
    const person = { ...plainEntity('Person'), resource: 'staff-members' }
    expect(await resourcesOf(gateway, [person])).toEqual(['/apis/staff-members'])
    expect((await gateway.request('GET', '/apis/staff-members')).body).toEqual([])
    expect((await gateway.request('GET', '/apis/people')).status).toBe(404)
    expect(await resourcesOf(gateway, [plainEntity('Person')])).toEqual(['/apis/staff-members'])
    expect(await resourcesOf(gateway, [{ ...person, resource: 'staff' }])).toEqual(['/apis/staff'])
    expect((await gateway.request('GET', '/apis/staff')).body).toEqual([])
    expect((await gateway.request('GET', '/apis/staff-members')).status).toBe(404)
    const { body } = await gateway.request('GET', '/manage/entities/Person')
    expect(body).toMatchObject({ resource: '/apis/staff', definition: { resource: 'staff' } })
  })

  test('two entities never share a resource, and a resource is one segment', async () => {
    const gateway = await start()
    await resourcesOf(gateway, [plainEntity('Person')])
    const refused = async (document: object) => {
      const { status, body } = await gateway.request('POST', '/manage/entities', { body: document })
      return [status, (body as { errors: unknown }).errors]
    }
    expect(await refused(plainEntity('People'))).toEqual([
      422,
      [
        {
          pointer: '/name',
          detail:
            'This entity would be published at /apis/people, where "Person" already is. Choose another name, or a "resource" for it.',
        },
      ],
    ])
    expect(await refused({ ...plainEntity('Worker'), resource: 'PEOPLE' })).toEqual([
      422,
      [
        {
          pointer: '/resource',
          detail:
            'This entity would be published at /apis/PEOPLE, where "Person" already is. Choose another resource.',
        },
      ],
    ])
    for (const resource of ['', 'a/b', '..', 'ä', '1a', 'a'.repeat(61)]) {
      expect(await refused({ ...plainEntity('Worker'), resource })).toEqual([
        422,
        [
          {
            pointer: '/resource',
            detail:
              'A resource starts with a letter and holds only letters of the alphabet A to Z, digits, "_" and "-", at most 60 characters.',
          },
        ],
      ])
    }
    expect(await resourcesOf(gateway, [{ ...plainEntity('People'), resource: 'peoples' }])).toEqual([
      '/apis/peoples',
    ])
  })

  test('a path that an older build made stays, with the roles that name it', async () => {
    const database = await kept.create(product)
    const first = await kept.start(product, database)
    await resourcesOf(first, [plainEntity('Person')])
    const authorities = [{ regex: '/apis/persons(/.*)?', methods: ['GET'] }]
    const reader = await logonAs(first, await createAccount(first, 'reader', authorities))
    await run(database.options, ["update gatehouse_entity set resource = 'persons' where name = 'Person'"])
    const second = await kept.start(product, database, { known: first })
    expect((await second.request('GET', '/apis/persons', { token: reader })).status).toBe(200)
    expect(await resourcesOf(second, [{ ...plainEntity('Person'), category: 'changed' }])).toEqual([
      '/apis/persons',
    ])
    expect((await second.request('GET', '/apis/persons', { token: reader })).status).toBe(200)
    expect((await second.request('GET', '/apis/people')).status).toBe(404)
  })
})

async function resourcesOf(
  gateway: TestGateway,
  definitions: readonly object[],
): Promise<readonly unknown[]> {
  const { status, body } = await gateway.request('POST', '/manage/entities', { body: definitions })
  expect(status).toBe(201)
  return (body as readonly { readonly resource: unknown }[]).map(({ resource }) => resource)
}
