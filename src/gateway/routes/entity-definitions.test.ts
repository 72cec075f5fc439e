import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { temporaryApis } from '../../../test/support/temporary-apis.ts'
import { definition, field, timeOfTest } from '../../../test/support/temporary-entities.ts'

const examples = async () => JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))

test('one definition is answered by one record, a list by a list, both as they were uploaded', async () => {
  const { call } = await temporaryApis()
  const [tenant, port] = await examples()
  const one = await call('POST', '/manage/entities', tenant)
  const shownTenant = {
    name: 'Tenant',
    resource: '/apis/tenants',
    definition: tenant,
    changed_by: 'admin',
    changed_at: timeOfTest,
  }
  expect(one.status).toBe(201)
  expect(one.headers.get('location')).toBe('/manage/entities/Tenant')
  expect(one.body).toEqual(shownTenant)
  const list = await call('POST', '/manage/entities', [port, tenant])
  expect(list.status).toBe(201)
  expect(list.body).toEqual([
    { ...shownTenant, name: 'Port', resource: '/apis/ports', definition: port },
    shownTenant,
  ])
  expect((await call('GET', '/manage/entities')).body).toEqual(list.body)
  expect((await call('GET', '/manage/entities/Tenant')).body).toEqual({ ...shownTenant, drift: [] })
})

test('an upload is served at once, and only where the definition says so', async () => {
  const { call } = await temporaryApis()
  await call('POST', '/manage/entities', definition('Port'))
  expect(await call('GET', '/apis/ports')).toMatchObject({ status: 200, body: [] })
  const { body } = await call(
    'POST',
    '/manage/entities',
    definition('Port', { top: { api_generation: false } }),
  )
  expect(body.resource).toBeNull()
  expect(await call('GET', '/apis/ports')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('a dry run answers the plan and changes nothing', async () => {
  const { call, tableNames } = await temporaryApis()
  expect(await call('POST', '/manage/entities?dry_run=true', definition('Port'))).toMatchObject({
    status: 200,
    body: {
      entities: [
        {
          name: 'Port',
          steps: [
            {
              kind: 'createTable',
              description: 'Create the table "Port".',
              sql: [expect.stringMatching(/^create table "Port"/)],
              rows: 'There are no rows yet.',
            },
          ],
        },
      ],
    },
  })
  expect(await tableNames()).toEqual([])
})

test('what is wrong is answered with every mistake', async () => {
  const { call } = await temporaryApis()
  expect(
    await call('POST', '/manage/entities', [definition('Port', { local: [field('a', 'strng')] })]),
  ).toMatchObject({
    status: 422,
    body: {
      code: 'ENTITY_DEFINITION_INVALID',
      errors: [
        {
          pointer: '/0/attributes/local_fields/0/field_type',
          detail: expect.stringMatching(/did you mean "string"/),
        },
      ],
    },
  })
})

test('an entity is deleted, with its records when that is asked for', async () => {
  const { call } = await temporaryApis(definition('Port'))
  await call('POST', '/apis/ports', {})
  expect(await call('DELETE', '/manage/entities/Port')).toMatchObject({
    status: 409,
    body: { code: 'IN_USE' },
  })
  expect(await call('DELETE', '/manage/entities/Port?allow_destructive=true')).toMatchObject({
    status: 204,
    body: '',
  })
  expect((await call('GET', '/apis/ports')).status).toBe(404)
  expect((await call('GET', '/manage/entities/Port')).status).toBe(404)
  expect((await call('DELETE', '/manage/entities/Port')).status).toBe(404)
})

test.each([
  ['POST', '/manage/entities?dryrun=true', /did you mean "dry_run"/],
  ['POST', '/manage/entities?dry_run=yes', /one of "true"/],
  ['DELETE', '/manage/entities/Port?destructive=true', /allow_destructive/],
])('%s %s is refused', async (method, path, detail) => {
  const { call } = await temporaryApis()
  const answer = await call(method, path, method === 'POST' ? definition('Port') : undefined)
  expect(answer.status).toBe(400)
  expect(answer.body.errors[0].detail).toMatch(detail)
})
