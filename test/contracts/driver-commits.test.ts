/** Commits that fail, and commits that are not answered: what was perhaps committed is not done again, and told so. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/dialect.ts'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { describeOn } from '../support/describe-on.ts'
import { type CommitFault, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { openForSuite } from '../support/opened-database.ts'
import { products, type TestProduct } from '../support/products.ts'

const servers = products.filter(({ runningStatements }) => runningStatements !== undefined)

const waitLimits = { timeout: 30_000, interval: 20 }

/** The answer of a server that refuses a statement. */
function refusal({ name }: TestProduct, { state, number }: Refused): Buffer {
  if (name === 'MariaDB') {
    const told = Buffer.from(`...#${state}No.`)
    told.writeUInt8(0xff, 0)
    told.writeUInt16LE(number, 1)
    return Buffer.concat([Buffer.from([told.length, 0, 0, 1]), told])
  }
  const fields = Buffer.from(`SERROR\0VERROR\0C${state}\0MNo.\0\0`)
  const head = Buffer.from('E....')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields, Buffer.from('Z\0\0\0\x05E', 'latin1')])
}

/** The error's number of MariaDB, and the state of PostgreSQL. */
interface Refused {
  readonly state: string
  readonly number: number
}

const deadlock: Refused = { state: '40P01', number: 1213 }

describeOn(servers, (product) => {
  const opened = openForSuite(product, ({ execute }) =>
    execute('create table thing (name varchar(40) primary key)'),
  )
  let proxy: FaultProxy
  let database: Database

  beforeAll(async () => {
    const { options } = opened.created
    const { host, port } = options as { readonly host: string; readonly port: number }
    proxy = await startFaultProxy(host, port)
    const own = { ...options, port: proxy.port, statementTimeoutMs: 1500 } as DatabaseOptions
    database = await openDatabase(own)
  })
  afterAll(async () => {
    await database.driver.close()
    await proxy.close()
  })

  /** The error of a transaction whose commit is broken, and how often it was begun. */
  async function failureOf(name: string, fault: CommitFault): Promise<readonly [unknown, number]> {
    let begun = 0
    proxy.breakCommitAfter(name, fault)
    const failure = await database.driver
      .transaction((connection) => {
        begun += 1
        return connection.execute(opened.statement('insert into thing values (?)', name))
      })
      .catch((error: unknown) => error)
    return [failure, begun]
  }

  const kept = async (name: string) => (await opened.query('select 1 from thing where name = ?', name)).length

  /** The driver goes on, on connections that are not broken. */
  async function goesOn(name: string): Promise<void> {
    const insert = opened.statement('insert into thing values (?)', name)
    await Promise.all([
      database.driver.transaction((connection) => connection.execute(insert)),
      database.driver.transaction((connection) => connection.query(opened.statement('select 1'))),
    ])
    expect(await kept(name)).toBe(1)
  }

  test.each(['cut', 'mute'] as const)(
    '%s: whether it was kept is unknown, and it is not done again',
    async (fault) => {
      const [failure, begun] = await failureOf(fault, fault)
      expect(failure).toBeInstanceOf(DatabaseError)
      expect([failure, begun]).toMatchObject([{ kind: 'unavailable', perhapsCommitted: true }, 1])
      // The server has heard it.
      await vi.waitFor(async () => expect(await kept(fault)).toBe(1), waitLimits)
      await goesOn(`after ${fault}`)
    },
  )

  test.each([
    ['timedOut', { state: '57014', number: 1969 }],
    ['busy', { state: '55P03', number: 1205 }],
    ['full', { state: '53100', number: 1021 }],
  ] as const)('%s: what the server refuses at the commit was not kept', async (kind, refused) => {
    const [failure] = await failureOf(kind, refusal(product, refused))
    expect(failure).toBeInstanceOf(DatabaseError)
    expect(failure).toMatchObject({ kind, perhapsCommitted: false })
    expect(await kept(kind)).toBe(0)
    await goesOn(`after ${kind}`)
  })

  test('a deadlock at the commit: it is done again', async () => {
    const [result, begun] = await failureOf('deadlock', refusal(product, deadlock))
    expect([result, begun]).toEqual([1, 2])
    expect(await kept('deadlock')).toBe(1)
  })
})
