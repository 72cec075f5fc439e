import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { definition } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

describe.each(anyProduct('MariaDB'))('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const authorities = [
      { regex: '/apis/ports(/.*)?', methods: ['GET'] },
      { regex: '/apis/tenants', methods: ['POST', 'GET'] },
    ]
    await gateway.request('POST', '/manage/roles', { body: { name: 'reader', authorities } })
    await gateway.request('POST', '/manage/accounts', {
      body: { username: 'robin', password: 'a long pass phrase', role: 'reader' },
    })
    await gateway.request('POST', '/manage/routes', {
      body: { name: 'open', path: '/apis/tenants', methods: ['GET'], scope: 'public' },
    })
  })
  afterAll(() => gateway.close())

  const explain = async (account: string, method: string, path: string) =>
    (await gateway.request('GET', `/manage/explain-access?${new URLSearchParams({ account, method, path })}`))
      .body

  test('the whole answer', async () => {
    expect(await explain('robin', 'get', '/apis/%70orts/1?x=2')).toEqual({
      allowed: true,
      because: 'authority',
      reason: 'The role "reader" allows it by /apis/ports(/.*)?.',
      path: '/apis/ports/1',
      scope: 'protected',
      roles: [
        {
          name: 'reader',
          authorities: [
            { regex: '/apis/ports(/.*)?', methods: ['GET'], path_matches: true, method_matches: true },
            {
              regex: '/apis/tenants',
              methods: ['POST', 'GET'],
              path_matches: false,
              method_matches: true,
            },
          ],
        },
      ],
    })
  })

  test.each([
    ['HEAD', '/apis/ports', true, 'authority', 'The role "reader" allows it by /apis/ports(/.*)?.'],
    ['GET', '/apis/tenants', true, 'public', 'A public API route allows it.'],
    ['POST', '/apis/tenants', true, 'authority', 'The role "reader" allows it by /apis/tenants.'],
    [
      'DELETE',
      '/apis/ports/1',
      false,
      'method',
      'The role "reader" allows GET on this path by /apis/ports(/.*)?, and not DELETE.',
    ],
    [
      'GET',
      '/apis/tenants/1',
      false,
      'nothing',
      'No authority matches the whole path; nearest is /apis/tenants of the role "reader". It matches /apis/tenants, and not what is below it. For both write "/apis/tenants(/.*)?".',
    ],
    [
      'GET',
      '/apis/../manage',
      false,
      'path',
      'The path is refused for everyone. The path holds a dot segment.',
    ],
  ])('%s %s: %s', async (method, path, allowed, because, reason) => {
    expect(await explain('robin', method, path)).toMatchObject({ allowed, because, reason })
  })

  test('conditions on records', async () => {
    const rows = [{ key: 'name', op: '==', val: { account: 'username' } }]
    const fields = { read: ['id', 'name'] }
    const authorities = [
      { regex: '.*', methods: ['GET', 'POST'], rows, fields },
      { regex: '/graphql/Port', methods: ['POST'] },
    ]
    await gateway.request('PUT', '/manage/roles/conditional', { body: { authorities } })
    await gateway.request('POST', '/manage/entities', {
      body: [definition('Port', {}), definition('Tenant', {})],
    })
    await gateway.request('POST', '/manage/routes', {
      body: { name: 'up', path: '/apis/up/*', methods: ['GET'], target: 'http://127.0.0.1:1' },
    })
    await gateway.request('POST', '/manage/accounts', {
      body: { username: 'terry', password: 'a long pass phrase', role: 'conditional' },
    })
    const everything = { regex: '.*', methods: ['GET', 'POST'], path_matches: true, method_matches: true }
    expect(await explain('terry', 'GET', '/apis/ports/1')).toEqual({
      allowed: true,
      because: 'authority',
      reason: 'The role "conditional" allows it by .*, on the records that its conditions admit.',
      path: '/apis/ports/1',
      scope: 'protected',
      roles: [
        {
          name: 'conditional',
          authorities: [
            { ...everything, rows, fields },
            { regex: '/graphql/Port', methods: ['POST'], path_matches: false, method_matches: false },
          ],
        },
      ],
    })
    const nothing =
      'It has conditions on records, and this path is not one of records: it grants nothing here.'
    expect(await explain('terry', 'GET', '/manage/roles')).toMatchObject({
      allowed: false,
      because: 'conditions',
      reason: `The role "conditional" matches this path by .*. ${nothing}`,
      roles: [{ authorities: [{ ...everything, rows, fields, advice: nothing }, {}] }],
    })
    const reasons = async (...calls: readonly (readonly [string, string])[]) =>
      Promise.all(
        calls.map(async ([method, path]) => {
          const { allowed, reason } = (await explain('terry', method, path)) as {
            allowed: boolean
            reason: string
          }
          return [method, path, allowed, reason]
        }),
      )
    expect(
      await reasons(
        ['GET', '/apis/up/x'],
        ['DELETE', '/apis/ports/1'],
        ['POST', '/graphql'],
        ['POST', '/graphql/Port'],
        ['POST', '/graphql/Tenant'],
      ),
    ).toEqual([
      ['GET', '/apis/up/x', false, `The role "conditional" matches this path by .*. ${nothing}`],
      [
        'DELETE',
        '/apis/ports/1',
        false,
        'The role "conditional" allows GET, POST on this path by .*, and not DELETE.',
      ],
      [
        'POST',
        '/graphql',
        true,
        'The role "conditional" allows it by .*, on the records that its conditions admit.',
      ],
      ['POST', '/graphql/Port', true, 'The role "conditional" allows it by /graphql/Port.'],
      [
        'POST',
        '/graphql/Tenant',
        true,
        'The role "conditional" allows it by .*, on the records that its conditions admit.',
      ],
    ])
  })

  test('what cannot be explained', async () => {
    expect(await explain('nobody', 'GET', '/')).toMatchObject({ status: 404, code: 'RECORD_NOT_FOUND' })
    const { body } = await gateway.request('GET', '/manage/explain-access?account=robin')
    expect(body).toMatchObject({ status: 400, code: 'PARAMETER_INVALID' })
  })
})
