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

test('a plan is carried out by its hash, unless it is out of date', async () => {
  const { call } = await temporaryApis()
  const path = '/manage/entities'
  const withSize = definition('Port', { local: [field('size', 'integer')] })
  const planOf = async (document: unknown) => (await call('POST', `${path}?dry_run=true`, document)).body.hash
  const outOfDate = { status: 412, body: { code: 'PRECONDITION_FAILED' } }

  const first = await planOf(definition('Port'))
  expect(await call('POST', `${path}?plan=${first}`, withSize)).toMatchObject(outOfDate)
  expect(await call('GET', `${path}/Port`)).toMatchObject({ status: 404 })
  expect((await call('POST', `${path}?plan=${first}`, definition('Port'))).status).toBe(201)
  expect(await call('POST', `${path}?plan=${first}`, definition('Port'))).toMatchObject(outOfDate)

  const second = await planOf(withSize)
  await call('POST', '/apis/ports', {})
  expect((await call('POST', `${path}?plan=${second}`, withSize)).status).toBe(201)

  const removal = (await call('DELETE', `${path}/Port?dry_run=true&allow_destructive=true`)).body.hash
  const remove = `${path}/Port?allow_destructive=true&plan=`
  expect(await call('DELETE', `${remove}${first}`)).toMatchObject(outOfDate)
  await call(
    'POST',
    path,
    definition('Port', { local: [field('size', 'integer'), field('speed', 'integer')] }),
  )
  expect(await call('DELETE', remove + removal)).toMatchObject(outOfDate)
  const again = (await call('DELETE', `${path}/Port?dry_run=true&allow_destructive=true`)).body.hash
  expect((await call('DELETE', remove + again)).status).toBe(204)
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

test('a list without definitions has a few facts of each', async () => {
  const { call } = await temporaryApis()
  await call('POST', '/manage/entities', await examples())
  const shown = { changed_by: 'admin', changed_at: timeOfTest, adopted: false }
  expect((await call('GET', '/manage/entities?definition=false')).body).toEqual([
    { name: 'Port', resource: '/apis/ports', field_count: 7, ...shown },
    { name: 'Tenant', resource: '/apis/tenants', field_count: 3, ...shown },
  ])
})

test('a dry run of a deletion answers its plan and deletes nothing', async () => {
  const { call } = await temporaryApis(definition('Port'))
  await call('POST', '/apis/ports', {})
  const drop = {
    kind: 'dropTable',
    description: 'Drop the table "Port".',
    sql: ['drop table "Port"'],
    rows: '1 row is lost.',
    row_count: 1,
    destructive: true,
    undoable: false,
  }
  const definitionStep = { kind: 'deleteDefinition', sql: [], destructive: false }
  expect(await call('DELETE', '/manage/entities/Port?dry_run=true')).toMatchObject({
    status: 200,
    body: {
      possible: false,
      problems: [{ pointer: '', detail: expect.stringMatching(/1 record/), allowed_by: 'allow_destructive' }],
      entities: [{ name: 'Port', steps: [drop, definitionStep] }],
    },
  })
  expect(await call('DELETE', '/manage/entities/Port?dry_run=true&allow_destructive=true')).toMatchObject({
    status: 200,
    body: { possible: true, problems: [], entities: [{ name: 'Port', steps: [drop, definitionStep] }] },
  })
  expect((await call('GET', '/apis/ports')).body).toHaveLength(1)
  expect((await call('DELETE', '/manage/entities/Tenant?dry_run=true')).status).toBe(404)
})

test('the plan of a deletion names what refers to the entity', async () => {
  const { call } = await temporaryApis()
  await call('POST', '/manage/entities', await examples())
  expect((await call('DELETE', '/manage/entities/Tenant?dry_run=true')).body).toMatchObject({
    possible: false,
    problems: [{ pointer: '', detail: expect.stringMatching(/"Port"/), allowed_by: null }],
  })
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
