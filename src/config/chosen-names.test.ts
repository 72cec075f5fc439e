import { expect, test } from 'vitest'
import { gatewayCommandOptions } from './command-options.ts'
import { ConfigError } from './config-error.ts'
import { loadConfig } from './load.ts'

const load = (names: string, flags: readonly string[] = []) =>
  loadConfig(gatewayCommandOptions, {
    flags: ['--db_product=sqlite', '--db_name=a.sqlite', '--config=g.yaml', ...flags],
    environment: {},
    readText: () => `gateway:\n  names:\n${names}`,
  })
const mistakesIn = (names: string) => {
  try {
    load(names)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

test('names are read from a file, or from JSON text', () => {
  const { values, settings } = load(
    '    tables:\n      tbl_customer: Customer\n      sales.notes: SalesNote\n    fields:\n      "a.1": one\n',
  )
  expect(values.gateway.names).toEqual({
    tables: { tbl_customer: 'Customer', 'sales.notes': 'SalesNote' },
    fields: { 'a.1': 'one' },
    references: {},
    collections: {},
  })
  expect(settings.find(({ option }) => option.key === 'names')?.shown).toBe(
    'tbl_customer → Customer, sales.notes → SalesNote, a.1 → one',
  )
  const { values: fromFlag } = load('    tables:\n', ['--names={"collections":{"a.b,c":"all"}}'])
  expect(fromFlag.gateway.names?.collections).toEqual({ 'a.b,c': 'all' })
})

test('every mistake in names has its own message', () => {
  const where = 'g.yaml line 2: gateway.names'
  const form = 'takes a name of letters A to Z, digits and “_” that starts neither with a digit nor with “__”'
  expect(
    mistakesIn(
      '    table: {}\n    tables:\n      a: __x\n      b: a-b\n      c: [d]\n    fields:\n      t.a: x\n      t.b: x\n      u.a: x\n    references: text\n',
    ),
  ).toEqual([
    `${where}.table: unknown key; did you mean tables?`,
    `${where}.tables.a: ${form}, not "__x"`,
    `${where}.tables.b: ${form}, not "a-b"`,
    `${where}.tables.c: ${form}`,
    `${where}.references: takes keys and names, indented under it`,
    `${where}.fields.t.b: "x" is also chosen for t.a`,
  ])
  expect(mistakesIn('    tables:\n      a: X\n      b: X\n')).toEqual([
    `${where}.tables.b: "X" is also chosen for a`,
  ])
  expect(mistakesIn('    fields:\n      t.a: x\n    references:\n      t.b: x\n')).toEqual([
    `${where}.references.t.b: "x" is also chosen for t.a`,
  ])
  expect(mistakesIn('    - a\n')).toEqual([
    `${where}: takes tables, fields, references, collections, and under each the names for them; as JSON text outside of a file`,
  ])
})
