import { expect, test } from 'vitest'
import { definition, field, refusalOf, temporaryEntities } from '../../../test/support/temporary-entities.ts'
import { readUpload } from '../upload/read-upload.ts'

const mistakesOf = async (document: unknown) => (await readUpload(document, () => undefined)).mistakes

test.each(['gatehouse_account', 'Gatehouse_role', 'pg_class', 'sqlite_master', 'node', '', 'a b'])(
  'no entity was called %j before',
  async (name) => {
    const renamed = definition('Port', { top: { renamed_from: name } })
    expect((await mistakesOf([definition('Tenant'), renamed])).map(({ pointer }) => pointer)).toEqual([
      '/1/renamed_from',
    ])
  },
)

test.each(['instance', 'xid', 'GlobalId', 'a-b'])('no field was called %j before', async (name) => {
  const renamed = definition('Port', {
    identifier: { renamed_from: name },
    local: [field('a', 'string', { renamed_from: name })],
  })
  expect((await mistakesOf(renamed)).map(({ pointer }) => pointer)).toEqual([
    '/attributes/identifier/renamed_from',
    '/attributes/local_fields/0/renamed_from',
  ])
})

test('what was renamed once may say so for ever', async () => {
  const local = [field('a', 'string', { renamed_from: 'b' })]
  expect(await mistakesOf(definition('Port', { local, top: { renamed_from: 'Harbour' } }))).toEqual([])
  expect(await mistakesOf(definition('Port', { top: { renamed_from: null } }))).toEqual([])
})

test('an upload that would rename a table of the gateway is refused, and says why', async () => {
  const { upload, tableNames } = await temporaryEntities()
  const renamed = definition('Port', { top: { renamed_from: 'gatehouse_account' } })
  const detail = 'Names that start with "gatehouse_" are kept for tables of the gateway or of databases.'
  expect(await refusalOf(upload(renamed))).toEqual({
    code: 'ENTITY_DEFINITION_INVALID',
    mistakes: [{ pointer: '/renamed_from', detail }],
  })
  expect(await tableNames()).toEqual([])
})
