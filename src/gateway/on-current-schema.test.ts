import { expect, test } from 'vitest'
import { DatabaseError } from '../database/database-error.ts'
import { type FollowedSchema, onCurrentSchema } from './on-current-schema.ts'

const refused = () => new DatabaseError('statement', 'operator does not exist: text = integer')

/** A schema whose catalogue is as it was read last. */
function servedSchema() {
  let served = { version: { hash: '1' } }
  const schema: FollowedSchema = {
    current: () => served,
    changed: async () => {},
    look: async () => false,
  }
  const readAgain = (hasChanged = true) => {
    served = { version: { hash: hasChanged ? `${served.version.hash}1` : served.version.hash } }
  }
  return { schema, readAgain }
}

test('work that began with an older schema starts again when its statement is refused', async () => {
  const { schema, readAgain } = servedSchema()
  let runs = 0
  const result = await onCurrentSchema(schema, async () => {
    runs += 1
    if (runs > 1) return 'done'
    readAgain()
    throw refused()
  })
  expect([result, runs]).toEqual(['done', 2])
})

test('a statement that is refused on the current schema is not sent again', async () => {
  const { schema } = servedSchema()
  let runs = 0
  const work = async () => {
    runs += 1
    throw refused()
  }
  await expect(onCurrentSchema(schema, work)).rejects.toThrow(DatabaseError)
  expect(runs).toBe(1)
})

test('work whose tables change in each attempt may be tried later', async () => {
  const { schema, readAgain } = servedSchema()
  let runs = 0
  const work = async () => {
    runs += 1
    readAgain()
    throw new DatabaseError('schemaChanged', 'no such column')
  }
  await expect(onCurrentSchema(schema, work)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(runs).toBe(3)
})

test('what is missing in tables that have not changed is told by the work', async () => {
  const { schema, readAgain } = servedSchema()
  const told: boolean[] = []
  const work = async (isLast: boolean) => {
    told.push(isLast)
    readAgain(false)
    throw new DatabaseError('schemaChanged', 'no such table, says a trigger')
  }
  await expect(onCurrentSchema(schema, work)).rejects.toThrow('no such table')
  expect(told).toEqual([false, false, true])
})
