/** Answers that come in pieces of any length, merged, cut off or with wrong bytes in them: right answers or errors, nothing else. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOn } from '../../../../../test/support/describe-on.ts'
import { fc } from '../../../../../test/support/fast-check.ts'
import { readers, type TestDatabase } from '../../../../../test/support/products.ts'
import { DatabaseError } from '../../../database-error.ts'
import type { Connection, Driver } from '../../../driver.ts'
import { listOf } from '../../../row-set.ts'
import type { PostgresqlDriverOptions } from '../connect.ts'
import { openPostgresqlDriver } from '../driver.ts'

/** What becomes of the bytes that the server sends. */
type Change = (bytes: Buffer) => readonly Buffer[]

const pieces =
  (lengths: readonly number[]): Change =>
  (bytes) => {
    const cut: Buffer[] = []
    for (let at = 0, index = 0; at < bytes.length; index += 1) {
      const length = lengths[index % lengths.length] ?? 1
      cut.push(bytes.subarray(at, at + length))
      at += length
    }
    return cut
  }

describeOn(
  readers.filter(({ name }) => name.startsWith('PostgreSQL')),
  (product) => {
    let created: TestDatabase
    let proxy: Server
    let change: Change = (bytes) => [bytes]
    let driver: Driver

    beforeAll(async () => {
      created = await product.createDatabase()
      const options = created.options as unknown as PostgresqlDriverOptions
      proxy = createServer((client) => {
        const upstream = connect({ host: options.host, port: options.port })
        client.on('data', (bytes) => upstream.write(bytes))
        upstream.on('data', (bytes: Buffer) => {
          for (const piece of change(bytes)) client.write(piece)
        })
        for (const [one, other] of [
          [client, upstream],
          [upstream, client],
        ] as const) {
          one.on('error', () => other.destroy())
          one.on('close', () => other.destroy())
        }
      })
      proxy.listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      const { port } = proxy.address() as AddressInfo
      driver = await openPostgresqlDriver({ ...options, port, statementTimeoutMs: 2000, waitMs: 5000 })
    })

    afterAll(async () => {
      change = (bytes) => [bytes]
      await driver.close()
      proxy.close()
      await created.remove()
    })

    /** `count` rows whose values tell which question they answer. */
    async function numbers(connection: Connection, question: number, count: number): Promise<void> {
      const rows = await connection.select({
        sql: `select n, 'answer ${question % 3} of ' || n, $1::text, null::text from generate_series(1, $2::integer) n`,
        parameters: [String(question), count],
      })
      expect(listOf(rows)).toEqual(
        Array.from({ length: count }, (_, index) => [
          index + 1,
          `answer ${question % 3} of ${index + 1}`,
          String(question),
          null,
        ]),
      )
    }

    const ask = (question: number, count: number) =>
      driver.stream(async (connection) => {
        await Promise.all([numbers(connection, question, count), numbers(connection, question + 1, 2)])
        let next = 1
        const stream = connection.stream(
          { sql: 'select n from generate_series(1, $1::integer) n', parameters: [count], isSorted: true },
          { pieceRows: 7, pieceBytes: 1e6 },
        )
        for await (const piece of stream) {
          for (const [value] of listOf(piece)) expect(value).toBe(next++)
        }
        expect(next).toBe(count + 1)
      })

    test('the length of the pieces makes no difference', async () => {
      const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 })
      await fc.assert(
        fc.asyncProperty(lengths, fc.integer({ min: 0, max: 40 }), async (chosen, count) => {
          change = pieces(chosen)
          await Promise.all([ask(1, count), ask(20, count + 3), ask(300, 1)])
        }),
        { numRuns: 20 },
      )
      change = (bytes) => [bytes]
    })

    test('an answer that is cut off, or has wrong bytes, is the error of its query; the next one is answered', async () => {
      const places = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom('cut', 'change'))
      await fc.assert(
        fc.asyncProperty(places, fc.integer({ min: 0, max: 255 }), async ([share, kind], byte) => {
          let isDone = false
          change = (bytes) => {
            if (isDone || !bytes.includes('answer')) return [bytes]
            isDone = true
            const place = Math.floor(share * (bytes.length - 1))
            if (kind === 'cut') return [bytes.subarray(0, place), Buffer.from('\0\0\0\0\0\0')]
            const changed = Buffer.from(bytes)
            // The lengths of messages and values; what is inside a value no one can tell.
            const at = changed.indexOf('answer', place)
            changed[(at < 0 ? changed.indexOf('answer') : at) - 2] = byte
            return [changed]
          }
          const result = await driver
            .read((connection) => numbers(connection, 5, 30))
            .catch((error: unknown) => error)
          if (result !== undefined && kind === 'cut') expect(result).toBeInstanceOf(DatabaseError)
          change = (bytes) => [bytes]
          await driver.read((connection) => numbers(connection, 6, 3))
        }),
        { numRuns: 8 },
      )
    })
  },
)
