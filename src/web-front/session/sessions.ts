/**
 * The sessions of a web front: their cookie, their two time limits, and their content, which only the cookie decrypts.
 * The store sees hashes and encrypted texts.
 */
import { type CookieRules, readCookie, writeCookie } from '../../http/cookie.ts'
import type { Clock } from '../../util/clock.ts'
import { GenerationalCache } from '../../util/generational-cache.ts'
import { seal, unseal } from './seal.ts'
import { hashOf, isSecret, newSecret } from './secret.ts'
import type { Session } from './session.ts'
import { everyoneGroup, summaryOf } from './session-lists.ts'
import {
  compareEnds,
  type ListedSession,
  type SessionPage,
  type SessionStore,
  type StoredRecord,
} from './session-store.ts'

export interface SessionSettings {
  /** How long an unused session lasts, in milliseconds. */
  readonly idleMs: number
  /** How long a session lasts at most, in milliseconds. */
  readonly lifetimeMs: number
  readonly cookieName: string
}

export interface SessionParts extends SessionSettings {
  readonly store: SessionStore
  readonly cookies: CookieRules
  readonly now: Clock
}

/** A session that was opened with its cookie. */
export interface OpenSession {
  /** Identifies the session; not the cookie. */
  readonly id: string
  readonly secret: string
  readonly content: Session
  readonly record: StoredRecord
}

export interface Sessions {
  /** The session of a request's cookie; undefined if there is none, or no longer. */
  open(cookieHeader: string | undefined): Promise<OpenSession | undefined>
  /** A new session with a new id that replaces the old one, and the `Set-Cookie` header for the browser. */
  start(
    content: Pick<Session, 'page' | 'login'>,
    groups: readonly string[],
    previous?: OpenSession,
  ): Promise<{ readonly session: OpenSession; readonly setCookie: string }>
  /** Changes a session, retrying on concurrent changes; undefined if it has ended. */
  update(session: OpenSession, change: (content: Session) => Session): Promise<OpenSession | undefined>
  /** The current state of the session; undefined if it has ended. */
  reload(session: OpenSession): Promise<OpenSession | undefined>
  /**
   * Ends a session; returns its last content, which may have changed since it was opened. Undefined if another caller
   * ended it.
   */
  end(session: OpenSession): Promise<Session | undefined>
  /** The `Set-Cookie` header that removes the session's cookie. */
  forgetCookie(): string
  /** Ends all sessions of a group; returns how many. */
  endGroup(group: string): Promise<number>
  /** The ids of a group's sessions. */
  idsOf(group: string): Promise<readonly string[]>
  /** A page of the sessions of some groups. */
  list(groups: readonly string[], page: SessionPage): Promise<readonly ListedSession[]>
  /** The session with an id, if it is in one of some groups. */
  find(id: string, groups: readonly string[]): Promise<ListedSession | undefined>
  /** Ends the session with an id; whether there was one. */
  endById(id: string): Promise<boolean>
}

/** How many decrypted contents are cached: decrypting one takes longer than everything else in a request. */
const openedKept = 1000

/** The sessions in a store. */
export function createSessions(parts: SessionParts): Sessions {
  const { store, cookies, now, idleMs, lifetimeMs, cookieName } = parts
  const opened = new GenerationalCache<string, { readonly sealed: string; readonly content: Session }>(
    openedKept,
  )
  const keys = new GenerationalCache<string, string>(openedKept)

  function keyOf(secret: string): string {
    const known = keys.get(secret)
    if (known !== undefined) return known
    const key = hashOf(secret)
    keys.set(secret, key)
    return key
  }

  function recordOf(secret: string, content: Session, groups: readonly string[]): StoredRecord {
    return {
      key: hashOf(secret),
      content: seal(secret, JSON.stringify(content)),
      groups: content.login === undefined ? groups : [...new Set([...groups, everyoneGroup])],
      endsAt: Math.min(content.createdAt + lifetimeMs, content.seenAt + idleMs),
    }
  }

  async function find(secret: string): Promise<OpenSession | undefined> {
    const key = keyOf(secret)
    const record = await store.load(key)
    const content = record === undefined ? undefined : openContent(secret, record)
    if (record === undefined || content === undefined) {
      opened.delete(key)
      return undefined
    }
    return { id: record.key, secret, content, record }
  }

  /** The key derives from the secret, so the holder of the key may see the cached content. */
  function openContent(secret: string, { key, content: sealed }: StoredRecord): Session | undefined {
    const known = opened.get(key)
    if (known?.sealed === sealed) return known.content
    const text = unseal(secret, sealed)
    if (text === undefined) return undefined
    const content: Session = JSON.parse(text)
    opened.set(key, { sealed, content })
    return content
  }

  async function update(
    session: OpenSession,
    change: (content: Session) => Session,
  ): Promise<OpenSession | undefined> {
    let current: OpenSession | undefined = session
    while (current !== undefined) {
      const content = change(current.content)
      const record = recordOf(current.secret, content, current.record.groups)
      if (await store.replace(current.record, record, summaryOf(content)))
        return { ...current, content, record }
      current = await find(session.secret)
    }
    return undefined
  }

  return {
    async open(cookieHeader) {
      const secret = readCookie(cookieHeader, cookieName, cookies)
      if (secret === undefined || !isSecret(secret)) return undefined
      const session = await find(secret)
      const timestamp = now().getTime()
      // Not every use is written: once in a twentieth of the idle time is enough.
      if (session === undefined || timestamp - session.content.seenAt < idleMs / 20) return session
      return update(session, (content) => ({ ...content, seenAt: Math.max(content.seenAt, timestamp) }))
    },

    async start(content, groups, previous) {
      const secret = newSecret()
      const timestamp = now().getTime()
      const started: Session = { ...content, createdAt: timestamp, seenAt: timestamp }
      const record = recordOf(secret, started, groups)
      await store.create(record, summaryOf(started))
      if (previous !== undefined) await store.take(previous.id)
      const session = { id: record.key, secret, content: started, record }
      return { session, setCookie: writeCookie(cookieName, secret, cookies) }
    },

    update,

    reload: ({ secret }) => find(secret),

    async end({ id, secret }) {
      opened.delete(id)
      const record = await store.take(id)
      const text = record === undefined ? undefined : unseal(secret, record.content)
      return text === undefined ? undefined : (JSON.parse(text) as Session)
    },

    forgetCookie: () => writeCookie(cookieName, '', cookies, 0),

    async endGroup(group) {
      const ended = await Promise.all((await store.keysOf(group)).map((key) => store.take(key)))
      return ended.filter((record) => record !== undefined).length
    },

    idsOf: (group) => store.keysOf(group),

    async list(groups, page) {
      const lists = await Promise.all(groups.map((group) => store.list(group, page)))
      return lists.flat().sort(compareEnds).slice(0, page.limit)
    },

    async find(id, groups) {
      const record = await store.load(id)
      if (record === undefined || !record.groups.some((group) => groups.includes(group))) return undefined
      const summary = await store.summaryOf(id)
      return { key: id, endsAt: record.endsAt, ...(summary && { summary }) }
    },

    async endById(id) {
      opened.delete(id)
      return (await store.take(id)) !== undefined
    },
  }
}
