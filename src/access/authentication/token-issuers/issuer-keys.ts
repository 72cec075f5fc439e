/**
 * The public keys of a token issuer: a JSON Web Key Set, https://www.rfc-editor.org/rfc/rfc7517#section-5. They are read when
 * they are first needed, and again now and then. jose's own remote set waits for the issuer whenever its keys are old;
 * this one goes on with them while it reads them again.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { AppError } from '../../../errors/app-error.ts'
import { ask } from '../../../http/outgoing.ts'
import type { Clock } from '../../../util/clock.ts'
import type { TokenIssuer } from './token-issuer.ts'

const limits = { timeoutMs: 5000, maxBytes: 500_000 }
/** After this time the keys are read again: an issuer may have withdrawn one. */
const freshMs = 10 * 60_000
/** How long the same keys are used while the issuer does not respond. */
const usableMs = 60 * 60_000
/** The issuer is asked no more often than this for keys that it did not have, or after it failed. */
const pauseMs = 5000

type KeySource = Pick<TokenIssuer, 'name' | 'issuer' | 'jwksUri'>

/** Keys that were read. */
interface ReadKeys {
  readonly text: string
  readonly find: JWTVerifyGetKey
  readonly count: number
  /** Milliseconds since 1970. */
  readonly readAt: number
}

export class IssuerKeys {
  readonly #source: KeySource
  readonly #now: Clock
  readonly #replaced: () => void
  #keys: ReadKeys | undefined
  #reading: Promise<ReadKeys> | undefined
  #failed: { readonly at: number; readonly error: AppError } | undefined

  /** `replaced` is called when other keys were read than before. */
  constructor(source: KeySource, now: Clock, replaced: () => void = () => undefined) {
    this.#source = source
    this.#now = now
    this.#replaced = replaced
  }

  /**
   * The key of a token, by its header. Throws jose's errors if the issuer has none, and ISSUER_UNAVAILABLE if that cannot
   * be found out within a few seconds.
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.#current()
    try {
      return await keys.find(header, token)
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey
      if (!isUnknown || this.#ageOf(keys) < pauseMs) throw error
      const again = await this.#read()
      return again.find(header, token)
    }
  }

  /** Reads the keys now, and returns how many there are. Throws ISSUER_UNAVAILABLE. */
  async load(): Promise<number> {
    return (await this.#read()).count
  }

  async #current(): Promise<ReadKeys> {
    const keys = this.#keys
    const age = keys === undefined ? Number.POSITIVE_INFINITY : this.#ageOf(keys)
    if (keys === undefined || age >= usableMs) return this.#read()
    // A failure is noted, and reported when the keys are too old.
    if (age >= freshMs) void this.#read().catch(() => undefined)
    return keys
  }

  #ageOf({ readAt }: ReadKeys): number {
    return this.#now().getTime() - readAt
  }

  /** One reading at a time; after a failure the next one waits for the pause. */
  async #read(): Promise<ReadKeys> {
    if (this.#reading !== undefined) return this.#reading
    const failed = this.#failed
    if (failed !== undefined && this.#now().getTime() - failed.at < pauseMs) throw failed.error
    this.#reading = this.#readNow().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readNow(): Promise<ReadKeys> {
    try {
      const set = (await readJson(await this.#address())) as JSONWebKeySet
      const find = createLocalJWKSet(set)
      const text = JSON.stringify(set)
      const isReplaced = this.#keys !== undefined && this.#keys.text !== text
      this.#keys = { text, find, count: set.keys.length, readAt: this.#now().getTime() }
      this.#failed = undefined
      if (isReplaced) this.#replaced()
      return this.#keys
    } catch (cause) {
      const error = unavailable(this.#source, cause)
      this.#failed = { at: this.#now().getTime(), error }
      throw error
    }
  }

  async #address(): Promise<string> {
    const { issuer, jwksUri } = this.#source
    return jwksUri ?? discover(issuer)
  }
}

/**
 * The address of the keys by the metadata of an issuer: OpenID Connect Discovery, or
 * https://www.rfc-editor.org/rfc/rfc8414#section-3.
 */
async function discover(issuer: string): Promise<string> {
  const { origin, pathname, protocol } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const openid = `${origin}${path}/.well-known/openid-configuration`
  const oauth = `${origin}/.well-known/oauth-authorization-server${path}`
  const metadata = (await readJson(openid, true)) ?? (await readJson(oauth))
  const { issuer: named, jwks_uri: uri } = metadata as Readonly<Record<string, unknown>>
  if (named !== issuer) {
    throw new Error(
      `the metadata is of the issuer ${JSON.stringify(named)}, not of ${JSON.stringify(issuer)}`,
    )
  }
  const address = typeof uri === 'string' ? URL.parse(uri) : null
  const isSafe = address?.protocol === 'https:' || (address?.protocol === 'http:' && protocol === 'http:')
  if (!isSafe || address === null) throw new Error('the metadata has no "jwks_uri" that can be used')
  return address.href
}

/** A JSON object at an address; undefined if there is nothing, and there may be nothing. */
async function readJson(address: string, mayBeMissing = false): Promise<unknown> {
  const { status, bytes } = await ask(address, { headers: { accept: 'application/json' } }, limits)
  if (mayBeMissing && status === 404) return undefined
  if (status !== 200) throw new Error(`${address} responded with status ${status}`)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw new Error(`${address} has no JSON object`)
  return value
}

function unavailable({ name }: KeySource, cause: unknown): AppError {
  return new AppError('ISSUER_UNAVAILABLE', {
    detail: `The keys of the token issuer "${name}" cannot be read, so its tokens cannot be checked. Try again in a few seconds.`,
    headers: { 'retry-after': String(pauseMs / 1000) },
    cause,
  })
}
