/** What a store of sessions keeps: texts that only the holder of a cookie can open, for a time. */
export interface StoredRecord {
  /** Hash of what the cookie holds. */
  readonly key: string
  readonly content: string
  /** What it can be found by, beside its key: hashes of an account, or of a session at a login provider. */
  readonly groups: readonly string[]
  /** Milliseconds since 1970; what has ended is not there. */
  readonly endsAt: number
}

/**
 * Where sessions are kept. When a store cannot be reached its methods throw SESSIONS_UNAVAILABLE: nobody is
 * taken for logged in, and nobody for logged out.
 */
export interface SessionStore {
  create(record: StoredRecord): Promise<void>
  load(key: string): Promise<StoredRecord | undefined>
  /** Replaces a record, unless it is no longer what the caller has seen: then it gives false. */
  replace(seen: StoredRecord, next: StoredRecord): Promise<boolean>
  /** Loads and removes a record; of several callers at once one gets it. */
  take(key: string): Promise<StoredRecord | undefined>
  /** The keys of a group's records. */
  keysOf(group: string): Promise<readonly string[]>
  /** Claims a name for at most so long; undefined while another has it. */
  lock(name: string, milliseconds: number): Promise<Release | undefined>
  /** Throws when the store cannot be used now. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Gives a claimed name back. */
export type Release = () => Promise<void>
