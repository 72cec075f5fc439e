/** What the declaration of a column cannot hold is refused with the name of the field; it is never rounded or cut. */
import { expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

interface Sized {
  readonly type: string
  readonly fits: readonly unknown[]
  readonly beyond: readonly (readonly [value: unknown, detail: string])[]
}

const text: Sized = {
  type: 'varchar(3)',
  fits: ['abc', '日本語', '😀😀😀', ''],
  beyond: [
    ['abcd', 'A text of at most 3 characters is expected here, and this one has 4.'],
    ['abc ', 'A text of at most 3 characters is expected here, and this one has 4.'],
  ],
}
const rate: Sized = {
  type: 'decimal(4,2)',
  fits: ['99.99', '-99.99', '0.05', 0, '0', '10'],
  beyond: ['0.994', '1.005', '9.999', '100', '1000.5', 0.001].map((value) => [
    value,
    `A number of at most 2 digits before the point and 2 after it is expected here, and ${JSON.stringify(value)} was sent.`,
  ]),
}
const share: Sized = {
  type: 'decimal(2,2)',
  fits: ['0.25', '-0.01'],
  beyond: [
    ['1', 'A number of at most 0 digits before the point and 2 after it is expected here, and "1" was sent.'],
  ],
}
const small: Sized = {
  type: 'smallint',
  fits: [32_767, -32_768],
  beyond: [[32_768, 'A whole number from -32768 to 32767 is expected here, and 32768 was sent.']],
}
const moment = (type: string, digits: string): Sized => ({
  type,
  fits: digits === 'no digits' ? ['2005-05-24T23:03:39'] : ['2005-05-24T23:03:39.999'],
  beyond: ['2005-05-24T23:03:39.0001', '2005-05-24T23:03:39.999999'].map((value) => [
    value,
    `A time with ${digits} after the second is expected here, and ${JSON.stringify(value)} was sent.`,
  ]),
})
const time: Sized = {
  type: 'time(0)',
  fits: ['09:30:00'],
  beyond: [
    ['09:30:00.5', 'A time with no digits after the second is expected here, and "09:30:00.5" was sent.'],
  ],
}
const mood: Sized = {
  type: "enum('sad','happy')",
  fits: ['sad', 'happy'],
  beyond: [
    ['hapy', 'This must be one of "sad", "happy"; did you mean "happy".'],
    ['1', 'This must be one of "sad", "happy".'],
  ],
}

const common = { text, rate, share, small, time }
const columns: Readonly<Record<string, Readonly<Record<string, Sized>>>> = {
  PostgreSQL: {
    ...common,
    mood: { ...mood, type: 'mood' },
    thousands: {
      type: 'numeric(2,-3)',
      fits: ['12000', '0'],
      beyond: [['12500', 'A number that the column need not round is expected here, and "12500" was sent.']],
    },
    rates: {
      type: 'numeric(4,2)[]',
      fits: [[1.25, 'NaN', null], [], [[1], [2]]],
      beyond: [
        [
          ['1', '1.005'],
          'A number of at most 2 digits before the point and 2 after it is expected here, and "1.005" was sent.',
        ],
        [
          [[1], [100]],
          'A number of at most 2 digits before the point and 2 after it is expected here, and 100 was sent.',
        ],
      ],
    },
    texts: {
      type: 'varchar(3)[]',
      fits: [['abc', 'ab ']],
      beyond: [[['abc '], 'A text of at most 3 characters is expected here, and this one has 4.']],
    },
    second: moment('timestamp(0)', 'no digits'),
    milli: moment('timestamp(3) with time zone', 'at most 3 digits'),
    dozens: {
      type: 'price',
      fits: ['12.5'],
      beyond: [
        [
          '12.55',
          'A number of at most 4 digits before the point and 1 after it is expected here, and "12.55" was sent.',
        ],
      ],
    },
  },
  MariaDB: {
    ...common,
    mood,
    second: moment('datetime', 'no digits'),
    milli: moment('datetime(3)', 'at most 3 digits'),
    tiny: {
      type: 'tinyint unsigned',
      fits: [255, 0],
      beyond: [
        [-1, 'A whole number from 0 to 255 is expected here, and -1 was sent.'],
        [256, 'A whole number from 0 to 255 is expected here, and 256 was sent.'],
      ],
    },
    rounded: {
      type: 'double(5,1)',
      fits: [1234.5, -0.5],
      beyond: [
        [
          1e-70,
          'A number of at most 4 digits before the point and 1 after it is expected here, and 1e-70 was sent.',
        ],
        [
          0.25,
          'A number of at most 4 digits before the point and 1 after it is expected here, and 0.25 was sent.',
        ],
      ],
    },
    huge: {
      type: 'bigint unsigned',
      fits: ['18446744073709551615', 0],
      beyond: [[-1, 'A whole number of 64 bits that is not negative is expected here, and -1 was sent.']],
    },
    all_bits: {
      type: 'bit(64)',
      fits: ['18446744073709551615'],
      beyond: [[-1, 'A whole number of 64 bits that is not negative is expected here, and -1 was sent.']],
    },
    bits: {
      type: 'bit(3)',
      fits: [7],
      beyond: [[8, 'A whole number from 0 to 7 is expected here, and 8 was sent.']],
    },
    fixed: {
      type: 'binary(4)',
      fits: ['AAECAw=='],
      beyond: [
        ['AAEC', 'A value of 4 bytes is expected here, and this one has 3.'],
        ['AAECAwQ=', 'A value of 4 bytes is expected here, and this one has 5.'],
      ],
    },
    narrow: {
      type: 'varchar(9) character set utf8mb3',
      fits: ['Zürich'],
      beyond: [
        [
          'Zürich😀',
          'The database does not take this value: it is missing, too long, out of its range, or against a rule of the table.',
        ],
      ],
    },
    note: {
      type: 'tinytext character set utf8mb4',
      fits: ['é'.repeat(127)],
      beyond: [['é'.repeat(128), 'A value of at most 255 bytes is expected here, and this one has 256.']],
    },
  },
}

const sized = products.filter(({ name }) => name in columns)
const types: Readonly<Record<string, readonly string[]>> = {
  PostgreSQL: [
    "create type mood as enum ('sad', 'happy')",
    'create domain money_of_two as numeric(5,1)',
    'create domain price as money_of_two check (value > 0)',
  ],
}

test.each(sized)('records and lists of them, $name', async (product) => {
  const own = columns[product.name] ?? {}
  const gateway = await startTestGateway(product, async (options) => {
    await runStatements(options, [
      ...(types[product.name] ?? []),
      `create table item (id integer primary key, ${Object.entries(own)
        .map(([name, { type }]) => `${name}_of ${type}`)
        .join(', ')})`,
      'insert into item (id) values (1)',
    ])
  })
  try {
    const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['item'] } })
    expect(adopted.status).toBe(201)
    const { body: described } = await gateway.request('GET', '/openapi.json')
    const schemas = (described as Json).components.schemas
    expect(schemas['item.new'].properties).toMatchObject({
      text_of: { maxLength: 3 },
      small_of: { minimum: -32_768, maximum: 32_767 },
      mood_of: { enum: ['sad', 'happy', null] },
    })
    expect(schemas.item.properties.text_of).not.toHaveProperty('maxLength')
    let id = 1
    for (const [name, { fits, beyond }] of Object.entries(own)) {
      const field = `${name}_of`
      for (const value of fits) {
        const { status, body } = await gateway.request('PATCH', '/apis/items/1', { body: { [field]: value } })
        const shown = name === 'rate' || name === 'share' ? String(value) : value
        expect([field, status, (body as Readonly<Record<string, unknown>>)[field]]).toEqual([
          field,
          200,
          shown,
        ])
      }
      for (const [value, detail] of beyond) {
        const before = (await gateway.request('GET', '/apis/items/1')).body
        const changed = await gateway.request('PATCH', '/apis/items/1', { body: { [field]: value } })
        expect([changed.status, changed.body]).toMatchObject([
          422,
          { code: 'RECORD_INVALID', errors: [{ pointer: `/${field}`, detail }] },
        ])
        const body = [{ id: ++id }, { id: ++id, [field]: value }]
        const created = await gateway.request('POST', '/apis/items', { body })
        expect(created.body).toMatchObject({ errors: [{ pointer: `/1/${field}`, detail }] })
        expect((await gateway.request('GET', '/apis/items')).body).toEqual([before])
      }
    }
  } finally {
    await gateway.close()
  }
})

test.each(sized)(
  'times that rights set or defaults give have the digits of their column, $name',
  async (product) => {
    const second = product.name === 'MariaDB' ? 'datetime' : 'timestamp(0)'
    const gateway = await startTestGateway(product, async (options) => {
      await runStatements(options, [
        `create table item (id integer primary key, made_at ${second}, name varchar(9))`,
      ])
    })
    try {
      expect(
        (await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['item'] } })).status,
      ).toBe(201)
      const maker = await createAccount(gateway, 'maker', [
        { regex: '/apis/items(/.*)?', methods: ['GET', 'POST'], set: { made_at: { now: 'PT0S' } } },
      ])
      const token = await logonAs(gateway, maker)
      for (const id of [1, 2, 3]) {
        const { status, body } = await gateway.request('POST', '/apis/items', { body: { id }, token })
        expect([status, body]).toEqual([
          201,
          { id, made_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/), name: null },
        ])
      }
    } finally {
      await gateway.close()
    }
  },
)

test.each(sized)(
  'a column that becomes wider takes more after the schema is read again, $name',
  async (product) => {
    let database: DatabaseOptions | undefined
    const gateway = await startTestGateway(product, async (options) => {
      database = options
      await runStatements(options, ['create table item (id integer primary key, name varchar(3))'])
    })
    try {
      const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['item'] } })
      expect(adopted.status).toBe(201)
      const create = () => gateway.request('POST', '/apis/items', { body: { id: 1, name: 'four' } })
      expect((await create()).status).toBe(422)
      const wider =
        product.name === 'MariaDB' ? 'modify name varchar(4)' : 'alter column name type varchar(4)'
      if (database !== undefined) await runStatements(database, [`alter table item ${wider}`])
      const { body } = await gateway.request('POST', '/manage/schema/reload')
      expect(body).toMatchObject({
        changed: [expect.stringMatching(/^column "name" of table "item".*: is .*4.*, was .*3/)],
      })
      expect((await create()).body).toEqual({ id: 1, name: 'four' })
    } finally {
      await gateway.close()
    }
  },
)

test.each(sized)(
  'a default that the column does not hold is refused with the definition, $name',
  async (product) => {
    const gateway = await startTestGateway(product, async (options) => {
      await runStatements(options, ['create table item (id integer primary key, rate decimal(4,2))'])
    })
    try {
      const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['item'] } })
      expect(adopted.status).toBe(201)
      const { definition } = (await gateway.request('GET', '/manage/entities/item')).body as Json
      const uploaded = (text: string) => {
        const [rate] = definition.attributes.local_fields
        const attributes = { ...definition.attributes, local_fields: [{ ...rate, field_default: text }] }
        return gateway.request('POST', '/manage/entities', { body: { ...definition, attributes } })
      }
      const { status, body } = await uploaded("'1.555'")
      expect([status, body]).toMatchObject([
        409,
        {
          errors: [
            {
              pointer: expect.stringMatching(/local_fields\/\d\/field_default$/),
              detail: expect.stringContaining('2 digits before the point and 2 after it is expected here'),
            },
          ],
        },
      ])
      expect((await uploaded("'1.55'")).status).toBeLessThan(300)
      expect((await gateway.request('POST', '/apis/items', { body: { id: 1 } })).body).toEqual({
        id: 1,
        rate: '1.55',
      })
    } finally {
      await gateway.close()
    }
  },
)
