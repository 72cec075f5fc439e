import type { Clock } from '../../util/clock.ts'
import {
  compareEnds,
  type ListedSession,
  type SessionPage,
  type SessionStore,
  type SessionSummary,
  type StoredRecord,
} from './session-store.ts'

export interface MemorySessionStoreOptions {
  readonly now: Clock
  /** How many records may exist that belong to no group, since anyone can create them. The oldest is dropped. */
  readonly looseLimit: number
}

/** Keeps sessions while the process runs. */
export class MemorySessionStore implements SessionStore {
  readonly #options: MemorySessionStoreOptions
  readonly #loose = new Map<string, StoredRecord>()
  readonly #grouped = new Map<string, StoredRecord>()
  readonly #summaries = new Map<string, SessionSummary>()
  readonly #groups = new Map<string, Set<string>>()
  readonly #locks = new Map<string, { readonly endsAt: number }>()
  #sweepAt = 0

  constructor(options: MemorySessionStoreOptions) {
    this.#options = options
  }

  async create(record: StoredRecord, summary?: SessionSummary): Promise<void> {
    this.#sweep()
    this.#put(record, summary)
    if (this.#loose.size <= this.#options.looseLimit) return
    for (const oldest of this.#loose.keys()) {
      this.#loose.delete(oldest)
      return
    }
  }

  async load(key: string): Promise<StoredRecord | undefined> {
    return this.#find(key)
  }

  async replace(seen: StoredRecord, next: StoredRecord, summary?: SessionSummary): Promise<boolean> {
    if (this.#find(seen.key)?.content !== seen.content) return false
    this.#drop(seen.key)
    this.#put(next, summary)
    return true
  }

  async take(key: string): Promise<StoredRecord | undefined> {
    const record = this.#find(key)
    this.#drop(key)
    return record
  }

  async keysOf(group: string): Promise<readonly string[]> {
    return [...(this.#groups.get(group) ?? [])].filter((key) => this.#find(key) !== undefined)
  }

  async list(group: string, { limit, after }: SessionPage): Promise<readonly ListedSession[]> {
    return [...(this.#groups.get(group) ?? [])]
      .map((key) => this.#find(key))
      .filter((record) => record !== undefined)
      .filter((record) => after === undefined || compareEnds(record, after) > 0)
      .sort(compareEnds)
      .slice(0, limit)
      .map(({ key, endsAt }) => {
        const summary = this.#summaries.get(key)
        return { key, endsAt, ...(summary && { summary }) }
      })
  }

  async summaryOf(key: string): Promise<SessionSummary | undefined> {
    return this.#find(key) === undefined ? undefined : this.#summaries.get(key)
  }

  async lock(name: string, milliseconds: number): Promise<(() => Promise<void>) | undefined> {
    const now = this.#now()
    if ((this.#locks.get(name)?.endsAt ?? 0) > now) return undefined
    const claim = { endsAt: now + milliseconds }
    this.#locks.set(name, claim)
    return async () => {
      if (this.#locks.get(name) === claim) this.#locks.delete(name)
    }
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {}

  #now(): number {
    return this.#options.now().getTime()
  }

  #find(key: string): StoredRecord | undefined {
    const record = this.#grouped.get(key) ?? this.#loose.get(key)
    return record !== undefined && record.endsAt > this.#now() ? record : undefined
  }

  #put(record: StoredRecord, summary?: SessionSummary): void {
    if (summary !== undefined) this.#summaries.set(record.key, summary)
    if (record.groups.length === 0) this.#loose.set(record.key, record)
    else this.#grouped.set(record.key, record)
    for (const group of record.groups) {
      const keys = this.#groups.get(group) ?? new Set()
      this.#groups.set(group, keys.add(record.key))
    }
  }

  #drop(key: string): void {
    for (const group of this.#grouped.get(key)?.groups ?? []) {
      const keys = this.#groups.get(group)
      keys?.delete(key)
      if (keys?.size === 0) this.#groups.delete(group)
    }
    this.#summaries.delete(key)
    this.#grouped.delete(key)
    this.#loose.delete(key)
  }

  /** Removes expired records once a minute. */
  #sweep(): void {
    const now = this.#now()
    if (now < this.#sweepAt) return
    this.#sweepAt = now + 60_000
    for (const { key, endsAt } of [...this.#grouped.values(), ...this.#loose.values()]) {
      if (endsAt <= now) this.#drop(key)
    }
    for (const [name, { endsAt }] of this.#locks) if (endsAt <= now) this.#locks.delete(name)
  }
}
