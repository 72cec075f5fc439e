import { expect, test } from 'vitest'
import { temporaryEntities } from '../../test/support/temporary-entities.ts'
import { DatabaseError } from '../database/database-error.ts'
import { AppError } from '../errors/app-error.ts'
import { cancellationOf } from '../util/cancellation-token.ts'
import { locateRefusal } from './locate-refusal.ts'

const items = Array.from({ length: 1000 }, (_, index) => index)
const refused = 700

test.each([
  { name: 'the search ends with its record', leavesAt: undefined, asked: 10, index: refused },
  { name: 'no search begins for a client that has left', leavesAt: 0, asked: 0, index: undefined },
  { name: 'nothing more is tried for a client that leaves', leavesAt: 3, asked: 3, index: undefined },
])('$name', async ({ leavesAt, asked, index }) => {
  const { database } = await temporaryEntities()
  const client = new AbortController()
  const cause = new DatabaseError('valueRefused', 'A record is refused.')
  const refusal = new AppError('RECORD_INVALID', { detail: 'A record is refused.', cause })
  let tried = 0
  const insert = async (some: readonly number[]) => {
    tried += 1
    if (tried === leavesAt) client.abort()
    if (some.includes(refused)) throw refusal
  }
  if (leavesAt === 0) client.abort()
  const parts = {
    database,
    now: () => new Date(),
    uuid: () => '',
    nextInstance: () => '',
    cancellation: cancellationOf(client.signal),
  }
  const located = await locateRefusal(refusal, { items, insert }, parts)
  expect({ tried, index: located.index, pointer: located.refusal.mistakes[0]?.pointer }).toEqual({
    ...{ tried: asked, index },
    pointer: index === undefined ? undefined : `/${index}`,
  })
})
