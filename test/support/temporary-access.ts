/** A gateway's records in a new SQLite file, with a clock that a test sets. Gone when the test is done. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Access, openAccess } from '../../src/access/access.ts'
import { bootstrap } from '../../src/access/administration/bootstrap.ts'
import type { Actor } from '../../src/access/caller.ts'
import type { Database } from '../../src/database/dialect.ts'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import type { Event } from '../../src/observe/events.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import { startKeptThread } from './kept-threads.ts'
import { prepareStore } from './store-template.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testLimits } from './test-limits.ts'

/** A database in its own file, prepared before it is opened. */
export async function temporaryDatabase(
  prepare: (options: DatabaseOptions) => Promise<void> = async () => undefined,
): Promise<Database & { readonly file: string }> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'data.sqlite')
  const options = {
    product: 'sqlite',
    file,
    readConnections: 2,
    ...testLimits,
    startThread: startKeptThread,
  } as const
  await prepare(options)
  const database = await openDatabase(options)
  onTestFinished(async () => {
    await database.driver.close()
    await folder.remove()
  })
  return { ...database, file }
}

interface TestClock {
  now: Date
  advance(seconds: number): void
}

export interface TemporaryAccess {
  readonly access: Access
  readonly database: Database & { readonly file: string }
  readonly store: Store
  readonly clock: TestClock
  readonly events: readonly Event[]
  /** How long logons were slowed down, in milliseconds; no time passes. */
  readonly pauses: readonly number[]
}

const startOfTest = '2026-11-21T06:00:00.000Z'
export const admin = { username: 'admin', password: 'correct horse', apiKey: 'k'.repeat(40) }
export const actor: Actor = {
  account: 'admin',
  rights: 'everything',
  address: '192.0.2.1',
  requestId: 'r-1',
}

/** Access control over a new store that holds the first account, with tokens that live for an hour. */
export async function temporaryAccess(): Promise<TemporaryAccess> {
  const database = await temporaryDatabase(prepareStore)
  const store = await openStore(database)
  const clock: TestClock = {
    now: new Date(startOfTest),
    advance(seconds) {
      this.now = new Date(this.now.getTime() + seconds * 1000)
    },
  }
  const events: Event[] = []
  const pauses: number[] = []
  const now = () => clock.now
  const { password, apiKey } = admin
  await bootstrap({ store, now, randomBytes, password, apiKey, passwordCost: cheapPasswords })
  const access = await openAccess({
    store,
    tokenTtlSeconds: 3600,
    passwordCost: cheapPasswords,
    targetGuard: { refuses: () => false },
    now,
    randomBytes,
    observe: (event) => events.push(event),
    pause: async (milliseconds) => {
      pauses.push(milliseconds)
    },
  })
  return { access, database, store, clock, events, pauses }
}

/** A token of an account, by a logon. */
export async function tokenOf(
  access: Access,
  { username, password, apiKey }: { username: string; password: string; apiKey: string },
): Promise<string> {
  const answer = await access.logon({
    apiKey,
    document: { username, password },
    address: actor.address,
    requestId: 'r-logon',
  })
  return answer['x-xaas-auth-token']
}
