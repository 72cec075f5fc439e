/** In which form values are shown that are odd for their column, and what finds them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { products } from '../support/products.ts'
import { openSampleDatabase, runGraphql, type SampleDatabase } from '../support/sample-database.ts'

interface Column {
  readonly type: string
  /** Literals, and the JSON in which each is shown. */
  readonly values: readonly (readonly [literal: string, shown: unknown])[]
}

const columnsOf: Readonly<Record<string, readonly Column[]>> = {
  SQLite: [
    {
      type: 'bytea',
      values: [
        ["x'ff00fe'", '/wD+'],
        ["'word'", 'word'],
      ],
    },
    {
      type: 'uuid',
      values: [
        ["x'ff00fe'", 'data:;base64,/wD+'],
        ["'data:;base64,/wD+'", 'data:;base64,/wD+'],
      ],
    },
    {
      type: 'integer',
      values: [
        ["x'ff00fe'", 'data:;base64,/wD+'],
        ["'hello'", 'hello'],
        ["''", ''],
        ['1.5', '1.5'],
      ],
    },
    {
      type: '',
      values: [
        ["x'ff00fe'", 'data:;base64,/wD+'],
        ['1', '1'],
        ["'1'", '1'],
        ['1.5', '1.5'],
      ],
    },
    {
      type: 'boolean',
      values: [
        ['1', true],
        ["'false'", false],
        ["'true'", true],
        ['0', false],
        ["'maybe'", 'maybe'],
      ],
    },
    {
      type: 'decimal(10,2)',
      values: [
        ['-1.0e-06', '-0.000001'],
        ["'x'", 'x'],
        ["x'00'", 'data:;base64,AA=='],
      ],
    },
    {
      type: 'real',
      values: [
        ['9e999', 'Infinity'],
        ["'NaN'", 'NaN'],
        ['0.1', 0.1],
      ],
    },
    {
      type: 'datetime',
      values: [
        ['1700000000', '1700000000'],
        ["'2021-06-30T14:00:00+02:00'", '2021-06-30T12:00:00'],
      ],
    },
    {
      type: 'date',
      values: [
        ['20240229', '20240229'],
        ["'2024-02-29'", '2024-02-29'],
      ],
    },
  ],
  PostgreSQL: [
    {
      type: 'real',
      values: [
        ['0.1', 0.1],
        ["'NaN'", 'NaN'],
      ],
    },
    {
      type: 'numeric',
      values: [
        [`1${'0'.repeat(200)}`, `1${'0'.repeat(200)}`],
        ["'NaN'", 'NaN'],
      ],
    },
    {
      type: 'timestamptz',
      values: [
        ["'infinity'", 'infinity'],
        ["'0044-03-15 00:00:00+00 BC'", '-0043-03-15T00:00:00'],
      ],
    },
  ],
  MariaDB: [
    {
      type: 'float',
      values: [
        ['0.1', 0.1],
        ['3.3', 3.3],
        ['19.99', 19.99],
        ['16777216', 16777216],
      ],
    },
    {
      type: "datetime not null default '0000-00-00'",
      values: [
        ['default', '0000-00-00T00:00:00'],
        ["'2024-00-10 01:02:03'", '2024-00-10T01:02:03'],
      ],
    },
    {
      type: 'date not null',
      values: [
        ["'0000-00-00'", '0000-00-00'],
        ["'2024-02-00'", '2024-02-00'],
      ],
    },
    { type: 'varchar(20)', values: [["'a\\0b'", 'a\0b']] },
  ],
}

describe.each(products)('$name', ({ name, ...product }) => {
  const columns = columnsOf[name] ?? []
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot

  beforeAll(async () => {
    sample = await openSampleDatabase({ name, ...product })
    await sample.database.driver.transaction(async (connection) => {
      const run = (sql: string) => connection.execute({ sql, parameters: [] })
      if (name === 'MariaDB') await run("set sql_mode = ''")
      for (const [index, { type, values }] of columns.entries()) {
        await run(`create table t${index} (id integer not null primary key, v ${type})`)
        for (const [at, [literal]] of values.entries())
          await run(`insert into t${index} values (${at}, ${literal})`)
      }
    })
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  const found = async (list: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const declared = Object.keys(variables).length === 0 ? '' : 'query ($v: GenericScalar) '
    const answer = (await runGraphql(
      sample,
      snapshot,
      `${declared}{ ${list} { edges { node { id v } } } }`,
      variables,
    )) as {
      readonly data: Readonly<
        Record<
          string,
          { readonly edges: readonly { readonly node: { readonly id: unknown; readonly v: unknown } }[] }
        >
      >
    }
    return Object.values(answer.data)[0]?.edges.map(({ node }) => node)
  }

  test.each(columns.map((column, index) => [column.type, column, index] as const))(
    '%s',
    async (_, { values }, index) => {
      const table = `t${index}`
      const rows = values.map(([, v], id) => ({ id, v }))
      expect(await found(table)).toEqual(rows)
      for (const { v } of rows) {
        const same = rows.filter((row) => row.v === v)
        expect(await found(`${table}(v: $v)`, { v }), String(v)).toEqual(same)
        expect(await found(`${table}(v: $v)`, { v: [v] }), String(v)).toEqual(same)
        expect(await found(`${table}(v: $v)`, { v: [v, v, v, v, v, v, v, v, v] }), String(v)).toEqual(same)
      }
      expect(await found(`${table}(v: null)`)).toEqual([])
    },
  )

  if (name !== 'MariaDB') return
  test('numbers of 32 bits are compared as they are shown', async () => {
    expect(await found('t0(filters: [{key: "v", op: ">=", val: 3.3}])')).toMatchObject([
      { id: 1 },
      { id: 2 },
      { id: 3 },
    ])
    expect(await found('t0(filters: [{key: "v", op: "<", val: 3.3}])')).toMatchObject([{ id: 0 }])
  })
})
