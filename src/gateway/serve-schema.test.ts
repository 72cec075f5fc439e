/** What comes of readings that lack something. */
import { expect, test } from 'vitest'
import type { Column, Table } from '../database/database-schema.ts'
import { type SchemaSource, serveSchema } from './serve-schema.ts'
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
  const source: SchemaSource = {
    answers: async ({ name }) => {
      asked.push(name)
      return answers
    },
    read: async () => left.shift() ?? expect.unreachable('no more readings'),
    look: async () => ({ text: String(left.length) }),
  }
  return { source, asked, left }
}

const whole = readingOf({ a: ['id'], b: ['id'] })

test.each([
  ['a table', readingOf({ a: ['id'] })],
  ['the key of a table', readingOf({ a: ['id'], b: [] })],
])('a reading that lacks %s counts only if the next one lacks it, too', async (_, less) => {
  const { source, asked, left } = sourceOf([whole, less, whole, less, less])
  const schema = await serveSchema(
    source,
    () => {},
    () => new Date(),
  )
  expect(await schema.reload()).toEqual({ appeared: [], vanished: [], changed: [] })
  expect(schema.current()).toBe(whole.served)
  expect((await schema.reload()).vanished).toHaveLength(1)
  expect(schema.current()).toBe(less.served)
  expect([left, asked]).toEqual([[], ['b', 'b']])
})

test('a table that answers is not missing, whatever some readings say', async () => {
  const less = readingOf({ a: ['id'] })
  const { source, left } = sourceOf([whole, less, less, less, whole], true)
  const schema = await serveSchema(
    source,
    () => {},
    () => new Date(),
  )
  expect(await schema.reload()).toEqual({ appeared: [], vanished: [], changed: [] })
  expect(left).toEqual([])
})

test('a table that answers and is never read is missing in the end', async () => {
  const less = readingOf({ a: ['id'] })
  const { source } = sourceOf([whole, less, less, less, less, less], true)
  const schema = await serveSchema(
    source,
    () => {},
    () => new Date(),
  )
  expect((await schema.reload()).vanished).toEqual(['table "b"'])
})

test('a reading that has more counts at once', async () => {
  const more = readingOf({ a: ['id'], b: ['id'], c: ['id'] })
  const { source } = sourceOf([whole, more])
  const schema = await serveSchema(
    source,
    () => {},
    () => new Date(),
  )
  expect(await schema.reload()).toEqual({ appeared: ['table "c"'], vanished: [], changed: [] })
})
