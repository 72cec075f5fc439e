/** PostgreSQL: references whose columns have other types than the key that they refer to. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOn } from '../support/describe-on.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

/** The type of a key with two values, and that of the column that refers to the first one. */
const types: readonly (readonly [string, readonly [string, string], string, string])[] = [
  ['bigint', ['1', '9007199254740993'], 'smallint', '1'],
  ['numeric(5,1)', ['1.0', '2.5'], 'integer', '1'],
  ['numeric', ['1', "'NaN'"], 'bigint', '1'],
  ['numeric(5,1)', ['2.5', '1'], 'numeric', '2.50'],
  ['double precision', ['1', '0.5'], 'integer', '1'],
  ['double precision', ['1', '1e300'], 'real', '1'],
  ['double precision', ['1', "'Infinity'"], 'bigint', '1'],
  ['timestamp', ["'2020-01-01'", "'2020-01-01 10:00'"], 'date', "'2020-01-01'"],
  ['timestamptz', ["'2020-01-01Z'", "'2020-01-01 10:00Z'"], 'date', "'2020-01-01'"],
  ['timestamptz', ["'2020-01-01Z'", "'2020-01-01 00:00:00.5Z'"], 'timestamp', "'2020-01-01'"],
  ['text', ["'a'", "'a '"], 'varchar(5)', "'a'"],
]

describeOn(
  products.filter(({ name }) => name === 'PostgreSQL'),
  (product) => {
    let gateway: TestGateway
    beforeAll(async () => {
      gateway = await startTestGateway(product, async (options) => {
        await runStatements(options, [
          ...types.flatMap(([type, [first, second], referring, value], index) => [
            `create table par${index} (k ${type} primary key, n integer)`,
            `insert into par${index} values (${first}, 1), (${second}, 2)`,
            `create table kid${index} (id integer primary key, k ${referring} references par${index})`,
            "set timezone to 'UTC'",
            `insert into kid${index} values (1, ${value}), (2, ${value}), (3, null)`,
          ]),
        ])
      })
    })
    afterAll(() => gateway.close())

    const edges = (nodes: readonly object[]) => ({ edges: nodes.map((node) => ({ node })) })
    test.each(types.map(([type, , referring], index) => [`${referring} refers to ${type}`, index] as const))(
      '%s',
      async (_, index) => {
        const [par, kid] = [`par${index}`, `kid${index}`]
        const ask = (args: string) =>
          gateway.graphql(`{
            all: ${par}(asc: "n"${args}) { edges { node { n ${kid}Collection(asc: "id") { totalCount edges { node { id } } aggregates { count } groups(by: [{ field: id }]) { count } } } } }
            paged: ${par}(asc: "n"${args}) { edges { node { ${kid}Collection(asc: "id", first: 1) { edges { node { id } } } } } }
          }`)
        const one = {
          n: 1,
          [`${kid}Collection`]: {
            totalCount: 2,
            ...edges([{ id: 1 }, { id: 2 }]),
            aggregates: { count: 2 },
            groups: [{ count: 1 }, { count: 1 }],
          },
        }
        const none = {
          n: 2,
          [`${kid}Collection`]: { totalCount: 0, edges: [], aggregates: { count: 0 }, groups: [] },
        }
        const firstOf = (ids: readonly number[]) => ({
          [`${kid}Collection`]: edges(ids.map((id) => ({ id }))),
        })
        expect(await ask('')).toEqual({
          data: { all: edges([one, none]), paged: edges([firstOf([1]), firstOf([])]) },
        })
        expect(await ask(', n: 1')).toEqual({ data: { all: edges([one]), paged: edges([firstOf([1])]) } })
        expect(await ask(', n: 2')).toEqual({ data: { all: edges([none]), paged: edges([firstOf([])]) } })
        expect(await gateway.graphql(`{ ${kid}(asc: "id") { edges { node { id ${par} { n } } } } }`)).toEqual(
          {
            data: { [kid]: edges([1, 2, 3].map((id) => ({ id, [par]: id === 3 ? null : { n: 1 } }))) },
          },
        )
      },
    )
  },
)
