import { randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import type { DatabaseSync as Database, SQLInputValue, StatementSync } from 'node:sqlite'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import { loadQuietly } from '../../util/load-quietly.ts'
import type {
  ListedSession,
  SessionPage,
  SessionStore,
  SessionSummary,
  StoredRecord,
} from './session-store.ts'

const { DatabaseSync } = loadQuietly(() => process.getBuiltinModule('node:sqlite'))

const tables = `
create table if not exists session_record (
  key text primary key, content text not null, groups text not null, ends_at integer not null
) strict, without rowid;
create index if not exists session_record_ends_at on session_record (ends_at);
create table if not exists session_group (
  name text not null, key text not null references session_record (key) on delete cascade,
  primary key (name, key)
) strict, without rowid;
create index if not exists session_group_key on session_group (key);
create table if not exists session_summary (
  key text primary key references session_record (key) on delete cascade, summary text not null
) strict, without rowid;
create table if not exists session_lock (
  name text primary key, claim text not null, ends_at integer not null
) strict, without rowid;
`

type Row = Readonly<Record<string, unknown>>

/** Keeps sessions in a file on one machine, which several processes may share. */
export class SqliteSessionStore implements SessionStore {
  readonly #database: Database
  readonly #now: Clock
  readonly #prepared = new Map<string, StatementSync>()
  #sweepAt = 0

  /** Creates the file, readable only by its owner, if it does not exist. */
  constructor(file: string, now: Clock) {
    if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
    this.#database = new DatabaseSync(file, { timeout: 2000 })
    this.#now = now
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')
    this.#database.exec(tables)
  }

  async create(record: StoredRecord, summary?: SessionSummary): Promise<void> {
    this.#transaction(() => {
      this.#sweep()
      this.#remove(record.key)
      this.#insert(record, summary)
    })
  }

  async load(key: string): Promise<StoredRecord | undefined> {
    return this.#guard(() => this.#find(key))
  }

  async replace(seen: StoredRecord, next: StoredRecord, summary?: SessionSummary): Promise<boolean> {
    return this.#transaction(() => {
      if (this.#find(seen.key)?.content !== seen.content) return false
      this.#remove(seen.key)
      this.#insert(next, summary)
      return true
    })
  }

  async take(key: string): Promise<StoredRecord | undefined> {
    return this.#transaction(() => {
      const record = this.#find(key)
      this.#remove(key)
      return record
    })
  }

  async keysOf(group: string): Promise<readonly string[]> {
    const rows = this.#guard(() =>
      this.#all(
        'select key from session_group join session_record using (key) where name = ? and ends_at > ? order by key',
        group,
        this.#time(),
      ),
    )
    return rows.map(({ key }) => String(key))
  }

  async list(group: string, { limit, after }: SessionPage): Promise<readonly ListedSession[]> {
    const rows = this.#guard(() =>
      this.#all(
        `select key, ends_at, summary
         from session_group join session_record using (key) left join session_summary using (key)
         where name = ? and ends_at > ? and (ends_at, key) > (?, ?) order by ends_at, key limit ?`,
        group,
        this.#time(),
        after?.endsAt ?? 0,
        after?.key ?? '',
        limit,
      ),
    )
    return rows.map(({ key, ends_at, summary }) => ({
      key: String(key),
      endsAt: Number(ends_at),
      ...(summary === null ? {} : { summary: JSON.parse(String(summary)) as SessionSummary }),
    }))
  }

  async summaryOf(key: string): Promise<SessionSummary | undefined> {
    const sql =
      'select summary from session_summary join session_record using (key) where key = ? and ends_at > ?'
    const [row] = this.#guard(() => this.#all(sql, key, this.#time()))
    return row === undefined ? undefined : JSON.parse(String(row.summary))
  }

  async lock(name: string, milliseconds: number): Promise<(() => Promise<void>) | undefined> {
    const claim = randomUUID()
    const now = this.#time()
    const claimed = this.#guard(() =>
      this.#run(
        `insert into session_lock (name, claim, ends_at) values (?, ?, ?)
         on conflict (name) do update set claim = excluded.claim, ends_at = excluded.ends_at
         where session_lock.ends_at <= ?`,
        name,
        claim,
        now + milliseconds,
        now,
      ),
    )
    if (claimed === 0) return undefined
    return async () => {
      this.#guard(() => this.#run('delete from session_lock where name = ? and claim = ?', name, claim))
    }
  }

  async check(): Promise<void> {
    this.#guard(() => this.#all('select 1 from session_record limit 1'))
  }

  async close(): Promise<void> {
    this.#database.close()
  }

  #time(): number {
    return this.#now().getTime()
  }

  #find(key: string): StoredRecord | undefined {
    const row = this.#statement('select * from session_record where key = ? and ends_at > ?').get(
      key,
      this.#time(),
    )
    if (row === undefined) return undefined
    return {
      key,
      content: String(row.content),
      groups: JSON.parse(String(row.groups)),
      endsAt: Number(row.ends_at),
    }
  }

  #insert({ key, content, groups, endsAt }: StoredRecord, summary?: SessionSummary): void {
    this.#run('insert into session_record values (?, ?, ?, ?)', key, content, JSON.stringify(groups), endsAt)
    for (const group of new Set(groups)) this.#run('insert into session_group values (?, ?)', group, key)
    if (summary === undefined) return
    this.#run('insert into session_summary values (?, ?)', key, JSON.stringify(summary))
  }

  #remove(key: string): void {
    this.#run('delete from session_record where key = ?', key)
  }

  /** Removes expired records once a minute. */
  #sweep(): void {
    const now = this.#time()
    if (now < this.#sweepAt) return
    this.#sweepAt = now + 60_000
    this.#run('delete from session_record where ends_at <= ?', now)
    this.#run('delete from session_lock where ends_at <= ?', now)
  }

  /** Prepared statements are cached: preparing takes longer than running, and there are few. */
  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }

  #all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#statement(sql).all(...values)
  }

  #run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  #transaction<Result>(work: () => Result): Result {
    return this.#guard(() => {
      this.#database.exec('begin immediate')
      try {
        const result = work()
        this.#database.exec('commit')
        return result
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('rollback')
        throw error
      }
    })
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (cause) {
      throw new AppError('SESSIONS_UNAVAILABLE', { cause, headers: { 'retry-after': '1' } })
    }
  }
}
