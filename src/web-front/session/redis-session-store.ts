import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import {
  compareEnds,
  type ListedSession,
  type SessionPage,
  type SessionStore,
  type SessionSummary,
  type StoredRecord,
} from './session-store.ts'

export interface RedisSessionStoreOptions {
  /** `redis://` or `rediss://`, with the password if there is one. */
  readonly url: string
  /** Prefix of every key. */
  readonly prefix: string
  readonly now: Clock
  /** Called once each time the connection is lost. */
  readonly lost: (error: unknown) => void
}

/** The time-out of one command, in milliseconds: a server that does not respond counts as unavailable. */
const commandMs = 2000
/** How long a connection may be silent, also while connecting, until it is replaced; a ping comes before. */
const silence = { pingMs: 1000, mostMs: 3000 }

const replaceScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3])
return 1`

const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`

function connect({ url, lost }: RedisSessionStoreOptions) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: silence.pingMs,
    socket: {
      connectTimeout: commandMs,
      socketTimeout: silence.mostMs,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 1000),
    },
  })
  let isLost = false
  client.on('ready', () => {
    isLost = false
  })
  client.on('error', (error) => {
    if (!isLost) lost(error)
    isLost = true
  })
  client.connect().catch(() => {})
  return client
}

type RedisClient = ReturnType<typeof connect>

/** Keeps sessions in a Redis server, which any number of processes share. */
export class RedisSessionStore implements SessionStore {
  #client: RedisClient
  readonly #options: RedisSessionStoreOptions
  #wanted = new Map<string, PromiseWithResolvers<StoredRecord | undefined>>()

  /** Connects in the background, and again whenever the connection is lost. */
  constructor(options: RedisSessionStoreOptions) {
    this.#options = options
    this.#client = connect(options)
  }

  /** Waits for the first connection, but not for long. */
  async settle(milliseconds: number): Promise<void> {
    const end = Date.now() + milliseconds
    while (!this.#client.isReady && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  async create(record: StoredRecord, summary?: SessionSummary): Promise<void> {
    const { key, endsAt } = record
    await this.#ask(async () => {
      const transaction = this.#client.multi().set(this.#recordKey(key), textOf(record), { PXAT: endsAt })
      this.#addToLists(transaction, record, summary)
      await transaction.exec()
    })
  }

  /** The groups of a record, and its summary. Members that have ended leave a group when another one comes. */
  #addToLists(
    transaction: ReturnType<RedisClient['multi']>,
    { key, groups, endsAt }: StoredRecord,
    summary: SessionSummary | undefined,
  ): void {
    for (const group of groups) {
      const name = this.#groupKey(group)
      transaction.zRemRangeByScore(name, '-inf', this.#time())
      transaction.zAdd(name, { score: endsAt, value: key }).expireAt(name, expiryOf(endsAt), 'NX')
      transaction.expireAt(name, expiryOf(endsAt), 'GT')
    }
    if (summary !== undefined) {
      transaction.set(this.#summaryKey(key), JSON.stringify(summary), { PXAT: endsAt })
    }
  }

  /** Loads of one turn of the event loop are batched into one command. */
  load(key: string): Promise<StoredRecord | undefined> {
    const already = this.#wanted.get(key)
    if (already !== undefined) return already.promise
    if (this.#wanted.size === 0) setImmediate(() => void this.#loadWanted())
    const wanted = Promise.withResolvers<StoredRecord | undefined>()
    this.#wanted.set(key, wanted)
    return wanted.promise
  }

  async #loadWanted(): Promise<void> {
    const all = [...this.#wanted]
    this.#wanted = new Map()
    try {
      const texts = await this.#ask(() => this.#client.mGet(all.map(([key]) => this.#recordKey(key))))
      for (const [index, [key, { resolve }]] of all.entries()) {
        resolve(this.#recordOf(key, texts[index] ?? null))
      }
    } catch (error) {
      for (const [, { reject }] of all) reject(error)
    }
  }

  async replace(seen: StoredRecord, next: StoredRecord, summary?: SessionSummary): Promise<boolean> {
    const isReplaced = await this.#ask(() =>
      this.#client.eval(replaceScript, {
        keys: [this.#recordKey(seen.key)],
        arguments: [textOf(seen), textOf(next), String(next.endsAt)],
      }),
    )
    if (isReplaced !== 1) return false
    await this.#ask(async () => {
      const transaction = this.#client.multi()
      this.#addToLists(transaction, next, summary)
      await transaction.exec()
    })
    return true
  }

  async take(key: string): Promise<StoredRecord | undefined> {
    const text = await this.#ask(() => this.#client.getDel(this.#recordKey(key)))
    const record = this.#recordOf(key, text)
    for (const group of record?.groups ?? []) {
      await this.#ask(() => this.#client.zRem(this.#groupKey(group), key))
    }
    if (record !== undefined && record.groups.length > 0) {
      await this.#ask(() => this.#client.del(this.#summaryKey(key)))
    }
    return record
  }

  async keysOf(group: string): Promise<readonly string[]> {
    const name = this.#groupKey(group)
    const keys = await this.#ask(() => this.#client.zRangeByScore(name, `(${this.#time()}`, '+inf'))
    const there = await this.#ask(() =>
      Promise.all(keys.map((key) => this.#client.exists(this.#recordKey(key)))),
    )
    return keys.filter((_key, index) => there[index] === 1).sort()
  }

  async list(group: string, { limit, after }: SessionPage): Promise<readonly ListedSession[]> {
    const found: ListedSession[] = []
    const least = after === undefined ? `(${this.#time()}` : String(Math.max(after.endsAt, this.#time()))
    for (let offset = 0; found.length < limit; offset += limit) {
      const members = await this.#ask(() =>
        this.#client.zRangeWithScores(this.#groupKey(group), least, '+inf', {
          BY: 'SCORE',
          LIMIT: { offset, count: limit },
        }),
      )
      const listed = members.map(({ value, score }) => ({ key: value, endsAt: score }))
      const behind = listed.filter((one) => after === undefined || compareEnds(one, after) > 0)
      found.push(...(await this.#withSummaries(behind)))
      if (members.length < limit) break
    }
    return found.slice(0, limit)
  }

  /** Those that are still there. */
  async #withSummaries(
    listed: readonly Pick<ListedSession, 'key' | 'endsAt'>[],
  ): Promise<readonly ListedSession[]> {
    if (listed.length === 0) return []
    const keys = listed.flatMap(({ key }) => [this.#recordKey(key), this.#summaryKey(key)])
    const texts = await this.#ask(() => this.#client.mGet(keys))
    return listed.flatMap((one, index) => {
      const [record, summary] = texts.slice(2 * index, 2 * index + 2)
      if (typeof record !== 'string') return []
      return [typeof summary === 'string' ? { ...one, summary: JSON.parse(summary) } : one]
    })
  }

  async summaryOf(key: string): Promise<SessionSummary | undefined> {
    const text = await this.#ask(() => this.#client.get(this.#summaryKey(key)))
    return text === null ? undefined : JSON.parse(text)
  }

  async lock(name: string, milliseconds: number): Promise<(() => Promise<void>) | undefined> {
    const key = `${this.#options.prefix}lock:${name}`
    const claim = randomUUID()
    const isClaimed = await this.#ask(() =>
      this.#client.set(key, claim, { condition: 'NX', expiration: { type: 'PX', value: milliseconds } }),
    )
    if (isClaimed === null) return undefined
    return async () => {
      await this.#ask(() => this.#client.eval(releaseScript, { keys: [key], arguments: [claim] }))
    }
  }

  async check(): Promise<void> {
    await this.#ask(() => this.#client.ping())
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  #recordKey(key: string): string {
    return `${this.#options.prefix}session:${key}`
  }

  /** Beside the record, which earlier versions compare as a whole when they replace it. */
  #summaryKey(key: string): string {
    return `${this.#options.prefix}summary:${key}`
  }

  #groupKey(group: string): string {
    return `${this.#options.prefix}group:${group}`
  }

  #time(): number {
    return this.#options.now().getTime()
  }

  #recordOf(key: string, text: string | null): StoredRecord | undefined {
    if (text === null) return undefined
    const record = { key, ...(JSON.parse(text) as Omit<StoredRecord, 'key'>) }
    return record.endsAt > this.#time() ? record : undefined
  }

  /** A silent connection is replaced by a new one. */
  #giveUp(client: RedisClient): void {
    if (client !== this.#client || !client.isOpen) return
    client.destroy()
    this.#options.lost(new Error('The session store does not respond in time.'))
    this.#client = connect(this.#options)
  }

  async #ask<Result>(command: () => Promise<Result>): Promise<Result> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const client = this.#client
    const timer = setTimeout(() => {
      reject(new Error('The session store does not respond in time.'))
      this.#giveUp(client)
    }, commandMs)
    try {
      return await Promise.race([command(), late])
    } catch (cause) {
      throw new AppError('SESSIONS_UNAVAILABLE', { cause, headers: { 'retry-after': '1' } })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Equal records have equal texts: a replacement compares them. */
function textOf({ content, groups, endsAt }: StoredRecord): string {
  return JSON.stringify({ content, groups, endsAt })
}

function expiryOf(endsAt: number): number {
  return Math.ceil(endsAt / 1000)
}
