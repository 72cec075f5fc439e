/** The test of shown values finds out what is wrong: each of these faults, put into a codec, makes it fail. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/dialect.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { raw, type SqlFragment, sql } from '../../src/database/sql.ts'
import { executeGraphql } from '../../src/graphql/execute-graphql.ts'
import { snapshotOf } from '../../src/graphql/snapshot.ts'
import { dateCodecs, looseDateCodecs } from '../../src/query/codec/date-codecs.ts'
import { numberCodecs } from '../../src/query/codec/number-codecs.ts'
import { textCodecs } from '../../src/query/codec/text-codecs.ts'
import { parseDateTime } from '../../src/util/date-time-text.ts'
import { parseDecimal } from '../../src/util/decimal-text.ts'
import { makeOddTables, type OddTable } from '../support/odd-tables.ts'
import { products } from '../support/products.ts'
import { answerText } from '../support/sample-database.ts'
import { type Ask, checkFilters } from '../support/shown-values.ts'

/** A fault: which member of which object is another one. */
interface Fault {
  readonly what: string
  readonly product: string
  /** The type of a column whose values show it. */
  readonly type: string
  readonly of: (database: Database) => object
  readonly member: string
  readonly instead: unknown
}

type Fragment = SqlFragment<never>
const syntaxOf = ({ dialect }: Database) => dialect.syntax
const asStored = (_: unknown, expression: Fragment, value: Fragment) => sql`${expression} = ${value}`

const faults: readonly Fault[] = [
  {
    what: 'values are read as texts',
    product: 'SQLite',
    type: 'uuid',
    of: syntaxOf,
    member: 'readColumn',
    instead: (_: unknown, expression: Fragment) => sql`cast(${expression} as text)`,
  },
  {
    what: 'bytes are not told from texts',
    product: 'SQLite',
    type: '',
    of: () => textCodecs.other,
    member: 'show',
    instead: (value: unknown) =>
      JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value)),
  },
  {
    what: 'moments are compared as they are stored',
    product: 'SQLite',
    type: 'datetime',
    of: syntaxOf,
    member: 'equals',
    instead: asStored,
  },
  {
    what: 'moments are shown as they are stored',
    product: 'SQLite',
    type: 'timestamp',
    of: () => looseDateCodecs.dateTime,
    member: 'show',
    instead: (value: unknown) => JSON.stringify(String(value)),
  },
  {
    what: 'booleans are compared as they are stored',
    product: 'SQLite',
    type: 'boolean',
    of: syntaxOf,
    member: 'equals',
    instead: asStored,
  },
  {
    what: 'infinite numbers are no items of lists',
    product: 'SQLite',
    type: 'real',
    of: syntaxOf,
    member: 'listParameter',
    instead: (values: readonly unknown[]) =>
      JSON.stringify(values.map((value) => (typeof value === 'bigint' ? Number(value) : value))),
  },
  {
    what: '64-bit integers are numbers',
    product: 'PostgreSQL',
    type: 'bigint',
    of: () => numberCodecs.bigint,
    member: 'show',
    instead: (value: unknown) => String(Number(value)),
  },
  {
    what: 'decimals have at most 65 digits',
    product: 'PostgreSQL',
    type: 'numeric',
    of: () => numberCodecs.decimal,
    member: 'hold',
    instead: (value: unknown) => parseDecimal(String(value)),
  },
  {
    what: 'only years of four digits are taken',
    product: 'PostgreSQL',
    type: 'timestamp',
    of: () => dateCodecs.dateTime,
    member: 'hold',
    instead: (value: unknown) => parseDateTime(String(value)),
  },
  {
    what: 'times lose their fractions',
    product: 'PostgreSQL',
    type: 'time',
    of: () => textCodecs.time,
    member: 'hold',
    instead: (value: unknown) => String(value).slice(0, 8),
  },
  {
    what: 'texts are compared as the collation has it',
    product: 'MariaDB',
    type: 'varchar(60)',
    of: syntaxOf,
    member: 'equals',
    instead: asStored,
  },
  {
    what: 'numbers of 32 bits are compared with those of 64',
    product: 'MariaDB',
    type: 'float',
    of: () => numberCodecs.float,
    member: 'hold',
    instead: (value: unknown) => Number(value),
  },
  {
    what: 'dates of zeros are not taken',
    product: 'MariaDB',
    type: 'datetime',
    of: () => dateCodecs.dateTime,
    member: 'hold',
    instead: (value: unknown) => parseDateTime(String(value)),
  },
  {
    what: 'lists are empty',
    product: 'MariaDB',
    type: 'binary(4)',
    of: syntaxOf,
    member: 'inList',
    instead: () => raw('1 = 0'),
  },
]

describe.each(products)('$name', (product) => {
  let database: Database
  let tables: readonly OddTable[]
  let close = async () => {}

  beforeAll(async () => {
    const created = await product.createDatabase()
    tables = await makeOddTables(product, created.options, { seed: 1, rows: 8 })
    database = await openDatabase(created.options)
    close = async () => {
      await database.driver.close()
      await created.remove()
    }
  })
  afterAll(() => close())

  /** With plans of its own, so that no fault stays in one. */
  const checkType = async (type: string) => {
    const table = tables.find((one) => one.type === type)
    if (table === undefined) throw new Error(`there is no column of type ${type}`)
    const { dialect, driver } = database
    const snapshot = await snapshotOf(
      await driver.read((connection) => dialect.introspect(connection)),
      dialect,
    )
    const ask: Ask = async (query, variables) => {
      const answer = await executeGraphql({ query, variables }, snapshot, database, { onFailure: () => {} })
      return JSON.parse(await answerText(answer))
    }
    return checkFilters(table, ask)
  }

  test.each(faults.filter((fault) => fault.product === product.name))(
    '$what: $type',
    async ({ type, of, member, instead }) => {
      expect(await checkType(type)).toEqual([])
      const broken = of(database) as Record<string, unknown>
      const whole = broken[member]
      broken[member] = instead
      try {
        expect(await checkType(type)).not.toEqual([])
      } finally {
        broken[member] = whole
      }
    },
  )
})
