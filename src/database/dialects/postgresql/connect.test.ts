import pg from 'pg'
import { expect, test } from 'vitest'
import { RowClient } from './connect.ts'

test('a client of a pool has the password, which the pool hides', async () => {
  const made: pg.Client[] = []
  class Seen extends RowClient {
    constructor(config?: pg.ClientConfig) {
      super(config)
      made.push(this)
    }
  }
  // Nothing accepts connections at this port: that a client is made is enough.
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1, user: 'u', password: 'secret', Client: Seen })
  await expect(pool.connect()).rejects.toThrow()
  await pool.end()
  expect(made.map(({ password }) => password)).toEqual(['secret'])
})
