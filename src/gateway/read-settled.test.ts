/** What comes of readings that lack something. */
import { expect, test } from 'vitest'
import type { Column, Table } from '../database/database-schema.ts'
import { readSettled, type TableSource } from './read-settled.ts'
import type { SchemaReading } from './served-schema.ts'

const column: Column = {
  name: 'id',
  type: 'integer',
  nativeType: 'int',
  nullable: false,
  hasDefault: false,
}

function readingOf(tables: Readonly<Record<string, readonly string[]>>): SchemaReading {
  const entities = Object.entries(tables).map(([name, primaryKey]) => {
    const table: Table = {
      ...{ id: name, name, kind: 'table', primaryKey, uniqueKeys: [], foreignKeys: [] },
      columns: new Map([['id', column]]),
    }
    return [name, { name, table, fields: new Map() }] as const
  })
  const snapshot = {
    model: { entities: new Map(entities), unusedNames: [], refusedNames: [] },
    databaseSchema: { leftOut: [] },
  }
  const served = { snapshot, published: new Map(), version: { hash: JSON.stringify(tables) } }
  return { served, longerNames: [] } as unknown as SchemaReading
}

/** Reads these one after the other. */
function sourceOf(readings: readonly SchemaReading[], answers = false) {
  const left = [...readings]
  const asked: string[] = []
  const source: TableSource = {
    answers: async ({ name }) => {
      asked.push(name)
      return answers
    },
    read: async () => left.shift() ?? expect.unreachable('no more readings'),
  }
  return { source, asked, left }
}

const whole = readingOf({ a: ['id'], b: ['id'] })
const withoutTable = readingOf({ a: ['id'] })
const withoutKey = readingOf({ a: ['id'], b: [] })

test.each([
  ['a table', withoutTable],
  ['the key of a table', withoutKey],
])('a reading that lacks %s counts only if the next one lacks it, too', async (_, less) => {
  const once = sourceOf([less, whole])
  expect(await readSettled(once.source, whole.served)).toBe(whole)
  const twice = sourceOf([less, less])
  expect(await readSettled(twice.source, whole.served)).toBe(less)
  expect([once.asked, twice.asked]).toEqual([['b'], ['b']])
})

test('a table that answers is not missing, whatever some readings say', async () => {
  const { source, left } = sourceOf([withoutTable, withoutTable, withoutTable, whole], true)
  expect(await readSettled(source, whole.served)).toBe(whole)
  expect(left).toEqual([])
})

test('a table that answers and is never read is missing in the end', async () => {
  const { source, left } = sourceOf(Array(6).fill(withoutTable), true)
  expect(await readSettled(source, whole.served)).toBe(withoutTable)
  expect(left).toHaveLength(1)
})

test('the first reading, and one that has more, count at once', async () => {
  const first = sourceOf([withoutTable])
  expect(await readSettled(first.source, undefined)).toBe(withoutTable)
  const more = sourceOf([whole])
  expect(await readSettled(more.source, withoutTable.served)).toBe(whole)
})
