/** A record in a session store: text that only the holder of a cookie can decrypt, with an expiry. */
export interface StoredRecord {
  /** Hash of the cookie's value. */
  readonly key: string
  readonly content: string
  /** Further search keys: hashes of an account, or of a session at a login provider. */
  readonly groups: readonly string[]
  /** Milliseconds since 1970; expired records are not returned. */
  readonly endsAt: number
}

/**
 * Where sessions are kept. If a store cannot be reached, its methods throw SESSIONS_UNAVAILABLE: no one counts as logged
 * in or logged out.
 */
export interface SessionStore {
  create(record: StoredRecord): Promise<void>
  load(key: string): Promise<StoredRecord | undefined>
  /** Replaces a record if it is still what the caller has seen; otherwise returns false. */
  replace(seen: StoredRecord, next: StoredRecord): Promise<boolean>
  /** Loads and removes a record; of several concurrent callers only one gets it. */
  take(key: string): Promise<StoredRecord | undefined>
  /** The keys of a group's records. */
  keysOf(group: string): Promise<readonly string[]>
  /** Locks a name for at most this long; undefined while another caller has it. */
  lock(name: string, milliseconds: number): Promise<Release | undefined>
  /** Throws if the store cannot be used now. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Releases a lock. */
type Release = () => Promise<void>
