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
 * What a store can read of a login, unlike its content: enough to list sessions and to end them without their cookies, and
 * no secret.
 */
export interface SessionSummary {
  readonly provider: string
  readonly account: string
  /** Milliseconds since 1970, like the next one. */
  readonly createdAt: number
  /** When it was last used, approximately. */
  readonly seenAt: number
  /** The account at the gateway, and the hashes of its tokens as the gateway stores them; absent without one. */
  readonly gateway?: { readonly username: string; readonly tokenHashes: readonly string[] }
}

/** A session in a list. */
export interface ListedSession {
  readonly key: string
  readonly endsAt: number
  /** Absent for a session that an earlier version wrote. */
  readonly summary?: SessionSummary
}

/** A page of a list that is sorted by the end of the sessions, then by their keys. */
export interface SessionPage {
  readonly limit: number
  /** Only sessions behind this one. */
  readonly after?: Pick<ListedSession, 'key' | 'endsAt'>
}

/**
 * Where sessions are kept. If a store cannot be reached, its methods throw SESSIONS_UNAVAILABLE: no one counts as logged
 * in or logged out.
 */
export interface SessionStore {
  create(record: StoredRecord, summary?: SessionSummary): Promise<void>
  load(key: string): Promise<StoredRecord | undefined>
  /** Replaces a record if it is still what the caller has seen; otherwise returns false. */
  replace(seen: StoredRecord, next: StoredRecord, summary?: SessionSummary): Promise<boolean>
  /** Loads and removes a record; of several concurrent callers only one gets it. */
  take(key: string): Promise<StoredRecord | undefined>
  /** The keys of a group's records. */
  keysOf(group: string): Promise<readonly string[]>
  /** A group's records. One whose end moves while pages are read may come twice, and none is left out. */
  list(group: string, page: SessionPage): Promise<readonly ListedSession[]>
  /** The summary of a record; undefined without one. */
  summaryOf(key: string): Promise<SessionSummary | undefined>
  /** Locks a name for at most this long; undefined while another caller has it. */
  lock(name: string, milliseconds: number): Promise<Release | undefined>
  /** Throws if the store cannot be used now. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The order of a list. */
export function compareEnds(
  one: Pick<ListedSession, 'key' | 'endsAt'>,
  other: Pick<ListedSession, 'key' | 'endsAt'>,
): number {
  return one.endsAt - other.endsAt || (one.key < other.key ? -1 : Number(one.key > other.key))
}

/** Releases a lock. */
type Release = () => Promise<void>
