import { assertObjectType, buildSchema, getNamedType } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { migrate, migrations } from '../../src/store/migrations/migrate.ts'
import { keptDatabases, reload, run } from '../support/kept-database.ts'
import { anyProduct } from '../support/products.ts'
import type { TestGateway } from '../support/test-gateway.ts'

const kept = keptDatabases()

describe.each(anyProduct('SQLite'))('$name', (product) => {
  const quote = (name: string) => (product.name === 'MariaDB' ? `\`${name}\`` : `"${name}"`)
  const key = (column: string, table: string) => `foreign key (${column}) references ${table} (id)`
  const table = (name: string, columns: readonly string[], keys: readonly string[] = []) => {
    const parts = ['id int primary key', ...columns.map((column) => `${quote(column)} int`), ...keys]
    return `create table ${quote(name)} (${parts.join(', ')})`
  }

  test('a name of a field stays with its column, whatever is created, dropped or listed first', async () => {
    const database = await kept.create(product)
    await run(database.options, [table('t', ['a_b'])])
    const first = await kept.start(product, database)
    expect(await fieldsOf(first, 't')).toEqual({ id: 'id', a_b: 'a_b' })

    await run(database.options, [`alter table t add column ${quote('a-b')} int`])
    await reload(first)
    const both = { id: 'id', a_b: 'a_b', a_b_2: 'a-b' }
    expect(await fieldsOf(first, 't')).toEqual(both)

    await run(database.options, ['alter table t drop column a_b'])
    await reload(first)
    expect(await fieldsOf(first, 't')).toEqual({ id: 'id', a_b_2: 'a-b' })
    const second = await kept.start(product, database, { known: first })
    expect(await fieldsOf(second, 't')).toEqual({ id: 'id', a_b_2: 'a-b' })

    await run(database.options, ['drop table t', table('t', ['a-b', 'a b', 'a_b'])])
    await reload(second)
    expect(await fieldsOf(second, 't')).toEqual({ ...both, a_b_3: 'a b' })
  })

  test('names that GraphQL can hold as they are come first', async () => {
    const database = await kept.create(product)
    await run(database.options, [table('t', ['a-b', 'a_b', '__proto__', 'constructor'])])
    const gateway = await kept.start(product, database)
    const names = { id: 'id', a_b: 'a_b', a_b_2: 'a-b', n__proto__: '__proto__', constructor: 'constructor' }
    expect(await fieldsOf(gateway, 't')).toEqual(names)
    await reload(gateway)
    expect(await fieldsOf(gateway, 't')).toEqual(names)
  })

  test('a column and a foreign key take no name from each other', async () => {
    const database = await kept.create(product)
    await run(database.options, [
      table('city', ['zip']),
      table('trip', ['city_id'], [key('city_id', 'city')]),
    ])
    const gateway = await kept.start(product, database)
    expect(await fieldsOf(gateway, 'trip')).toEqual({ id: 'id', city_id: 'city_id', city: '-> city' })
    await run(database.options, [
      'alter table trip add column city int',
      `alter table city add column ${quote('tripCollection')} int`,
    ])
    await reload(gateway)
    expect(await fieldsOf(gateway, 'trip')).toEqual({
      id: 'id',
      city_id: 'city_id',
      city: '-> city',
      city_2: 'city',
    })
    expect(await fieldsOf(gateway, 'city')).toEqual({
      id: 'id',
      zip: 'zip',
      tripCollection: '<- trip',
      tripCollection_2: 'tripCollection',
    })
  })

  test('references are named after their entity, or after their columns where several go to it', async () => {
    const database = await kept.create(product)
    await run(database.options, [
      table('Address', []),
      table(
        'purchase',
        ['billToId', 'ship_to_id', 'billtoaddressid', 'home', 'owner_uuid'],
        ['billToId', 'ship_to_id', 'billtoaddressid', 'home', 'owner_uuid'].map((column) =>
          key(quote(column), quote('Address')),
        ),
      ),
      table('visit', ['address', 'address_id'], [key('address_id', quote('Address'))]),
    ])
    const gateway = await kept.start(product, database)
    expect(await fieldsOf(gateway, 'purchase')).toMatchObject({
      billTo: '-> Address',
      ship_to: '-> Address',
      billtoaddress: '-> Address',
      homeRef: '-> Address',
      owner_uuidRef: '-> Address',
    })
    expect(await fieldsOf(gateway, 'visit')).toMatchObject({ address: 'address', addressRef: '-> Address' })
    expect(Object.keys(await fieldsOf(gateway, 'Address'))).toEqual([
      'id',
      'purchaseCollection',
      'purchaseCollectionByShip_to_id',
      'purchaseCollectionByBilltoaddressid',
      'purchaseCollectionByHome',
      'purchaseCollectionByOwner_uuid',
      'visitCollection',
    ])
    const camel = await kept.start(product, database, { known: gateway, graphql: { naming: 'camel' } })
    expect(await fieldsOf(camel, 'purchase')).toMatchObject({ billTo: '-> Address', shipTo: '-> Address' })
  })

  test('references of several columns are named after the column that tells them apart', async () => {
    const database = await kept.create(product)
    const target = 'references place (id, tenant)'
    await run(database.options, [
      'create table place (id int not null, tenant int not null, primary key (id, tenant))',
      table(
        'trip',
        ['start_id', 'end_id', 'tenant'],
        [`foreign key (start_id, tenant) ${target}`, `foreign key (end_id, tenant) ${target}`],
      ),
    ])
    expect(await fieldsOf(await kept.start(product, database), 'trip')).toMatchObject({
      start: '-> place',
      end: '-> place',
    })
  })

  const served = () => [
    table('address', []),
    table(
      'purchase',
      ['a-b', 'a_b', 'billtoaddressid', 'shiptoaddressid'],
      [key('billtoaddressid', 'address'), key('shiptoaddressid', 'address')],
    ),
  ]
  const before = {
    id: 'id',
    a_b: 'a-b',
    a_b_2: 'a_b',
    billtoaddressid: 'billtoaddressid',
    shiptoaddressid: 'shiptoaddressid',
    address: '-> address',
    shiptoaddressidRef: '-> address',
  }

  test('what an older build served keeps its names', async () => {
    const database = await kept.create(product)
    await run(database.options, served())
    await migrateTo(14, database.options)
    const schema = product.name === 'PostgreSQL' ? 'public' : ''
    const names = (column: string) =>
      JSON.stringify([
        JSON.stringify([schema, 'purchase']),
        [column],
        JSON.stringify([schema, 'address']),
        ['id'],
      ])
    const stored = {
      tables: {
        [JSON.stringify([schema, 'address'])]: 'address',
        [JSON.stringify([schema, 'purchase'])]: 'purchase',
      },
      relations: {
        verbatim: {
          [names('billtoaddressid')]: { reference: 'address', collection: 'purchaseCollection' },
          [names('shiptoaddressid')]: {
            reference: 'shiptoaddressidRef',
            collection: 'purchaseCollectionByShiptoaddressid',
          },
        },
      },
    }
    const json = JSON.stringify(stored)
    const text = product.name === 'MariaDB' ? json.replaceAll('\\', '\\\\') : json
    await run(database.options, [
      `insert into gatehouse_given_names (id, revision, names) values (1, 7, '${text}')`,
    ])
    const first = await kept.start(product, database)
    expect(await fieldsOf(first, 'purchase')).toEqual(before)
    await run(database.options, [
      table('shipment', ['fromid', 'toid'], [key('fromid', 'address'), key('toid', 'address')]),
    ])
    await reload(first)
    expect(await fieldsOf(first, 'purchase')).toEqual(before)
    expect(await fieldsOf(first, 'shipment')).toMatchObject({ from: '-> address', to: '-> address' })
    const second = await kept.start(product, database, { known: first })
    expect(await fieldsOf(second, 'purchase')).toEqual(before)
  })

  test('what a build served that kept no names keeps its names', async () => {
    const database = await kept.create(product)
    await run(database.options, served())
    await migrateTo(4, database.options)
    await run(database.options, [
      `insert into gatehouse_account (username, password_hash, metadata, created_at) values ('old', 'x', '{}', '2026-01-01T00:00:00.000Z')`,
    ])
    await migrateTo(15, database.options)
    await run(database.options, ["delete from gatehouse_account where username = 'old'"])
    const first = await kept.start(product, database)
    expect(await fieldsOf(first, 'purchase')).toEqual(before)
    await reload(first)
    expect(await fieldsOf(first, 'purchase')).toEqual(before)
  })

  test('nodes that see new columns and foreign keys at the same moment name them alike', async () => {
    const database = await kept.create(product)
    await run(database.options, [table('city', []), table('trip', ['a-b'])])
    const first = await kept.start(product, database)
    const nodes = [
      first,
      await kept.start(product, database, { known: first }),
      await kept.start(product, database, { known: first }),
    ]
    await run(database.options, [
      'drop table trip',
      table(
        'trip',
        ['a b', 'a-b', 'a.b', 'start_id', 'end_id'],
        [key('start_id', 'city'), key('end_id', 'city')],
      ),
    ])
    await reload(first)
    const expected = {
      id: 'id',
      a_b: 'a-b',
      a_b_2: 'a b',
      a_b_3: 'a.b',
      start_id: 'start_id',
      end_id: 'end_id',
      start: '-> city',
      end: '-> city',
    }
    for (const node of nodes) await expect.poll(() => fieldsOf(node, 'trip')).toEqual(expected)
  })
})

async function migrateTo(version: number, options: DatabaseOptions): Promise<void> {
  const database = await openDatabase(options)
  await migrate(database, migrations.slice(0, version))
  await database.driver.close()
}

/** The fields of an entity with the columns that they stand for, or the entity that they lead to or come from. */
async function fieldsOf(gateway: TestGateway, entity: string): Promise<Readonly<Record<string, string>>> {
  const schema = buildSchema(await gateway.gateway.schemaText())
  const found = Object.values(assertObjectType(schema.getType(`${entity}_`)).getFields())
  return Object.fromEntries(
    found
      .filter(({ name }) => name !== 'GlobalId')
      .map(({ name, type: fieldType, description }) => {
        const type = String(getNamedType(fieldType))
        const [, column] = /^Column (".*")\.$/m.exec(description ?? '') ?? []
        const [, collection] = /^(\w+)_Connection$/.exec(type) ?? []
        const [, reference] = /^(\w+)_$/.exec(type) ?? []
        if (collection !== undefined) return [name, `<- ${collection}`]
        if (reference !== undefined) return [name, `-> ${reference}`]
        return [name, column === undefined ? name : JSON.parse(column)]
      }),
  )
}
