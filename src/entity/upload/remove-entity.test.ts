import { expect, test } from 'vitest'
import {
  definition,
  reference,
  refusalOf,
  temporaryEntities,
  uploader,
} from '../../../test/support/temporary-entities.ts'
import { removeEntity } from './remove-entity.ts'

async function tenantsAndPorts() {
  const entities = await temporaryEntities()
  await entities.upload([
    definition('Tenant', { refs: [reference('parentId', 'Tenant')] }),
    definition('Port', { refs: [reference('tenantId', 'Tenant')] }),
  ])
  const remove = (name: string, allowDestructive = false) =>
    removeEntity({ name, allowDestructive }, uploader, entities.parts)
  return { ...entities, remove }
}

test('an entity goes with its table', async () => {
  const { remove, tableNames, query } = await tenantsAndPorts()
  await remove('Port')
  await remove('Tenant')
  expect(await tableNames()).toEqual([])
  expect(await query('select * from gatehouse_entity')).toEqual([])
  expect(await query("select name from gatehouse_audit where action = 'deleted'")).toEqual([
    ['Port'],
    ['Tenant'],
  ])
})

test('an entity that another one refers to stays', async () => {
  const { remove, tableNames } = await tenantsAndPorts()
  expect(await refusalOf(remove('Tenant', true))).toEqual({
    code: 'IN_USE',
    detail: '"Tenant" is referred to by "Port". Delete what refers to it first.',
    mistakes: [],
  })
  expect(await tableNames()).toEqual(['Port', 'Tenant'])
})

test('an entity that a table of another program refers to stays', async () => {
  const { remove, execute } = await tenantsAndPorts()
  await execute('create table other (a references "Port" ("id"))')
  expect((await refusalOf(remove('Port'))).detail).toContain('"other"')
})

test('records are lost only when that is asked for', async () => {
  const { remove, execute, tableNames } = await tenantsAndPorts()
  await execute(
    `insert into "Tenant" ("instance", "id", "parentId") values ('i1', 't1', 't1'), ('i2', 't2', 't1')`,
  )
  await remove('Port')
  expect(await refusalOf(remove('Tenant'))).toEqual({
    code: 'IN_USE',
    detail: expect.stringMatching(/has 2 records.*\?allow_destructive=true/),
    mistakes: [],
  })
  await remove('Tenant', true)
  expect(await tableNames()).toEqual([])
})

test('an entity that is not there is not found', async () => {
  const { remove } = await tenantsAndPorts()
  expect((await refusalOf(remove('port'))).code).toBe('RECORD_NOT_FOUND')
})
