import type { Clock } from '../../util/clock.ts'
import type { Credential } from '../session/session.ts'
import { isRenewalDue, isUsable } from './renewal-due.ts'

/** A token of the web front itself, shared by all calls of this process. */
export interface ClientTokens {
  /**
   * The current token. It is renewed before it ends, and used as long as it lasts. Throws LOGIN_UNAVAILABLE if there is none
   * and the token endpoint gives none.
   */
  current(): Promise<Credential>
  /** To be called with a token that a backend refused: another one, or the same if a new one was refused as well. */
  after(refused: Credential): Promise<Credential>
}

/** How long a token that was refused is used again once a new one did not help, in milliseconds. */
const refusalMs = 60_000
/** How long the token endpoint is left alone after a failure, while the token lasts, in milliseconds. */
const pauseMs = 1000

interface HeldToken {
  readonly credential: Credential
  readonly since: number
}

/** Tokens that `request` gets. Concurrent calls make one request. */
export function createClientTokens(request: () => Promise<Credential>, now: Clock): ClientTokens {
  let held: HeldToken | undefined
  let running: Promise<Credential> | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  let refusedAt = Number.NEGATIVE_INFINITY

  function renew(): Promise<Credential> {
    running ??= request()
      .then((credential) => {
        held = { credential, since: now().getTime() }
        return credential
      })
      .catch((error: unknown) => {
        failedAt = now().getTime()
        throw error
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
    async current() {
      const timestamp = now().getTime()
      if (held === undefined || !isUsable(held.credential, timestamp)) return renew()
      const { credential, since } = held
      if (isRenewalDue({ ...credential, since }, timestamp) && timestamp - failedAt >= pauseMs) {
        // The token still lasts: no call waits, and a failure does not matter.
        renew().catch(() => {})
      }
      return credential
    },

    async after(refused) {
      const timestamp = now().getTime()
      if (held !== undefined && held.credential.accessToken !== refused.accessToken) return held.credential
      if (running === undefined) {
        if (timestamp - refusedAt < refusalMs) return refused
        refusedAt = timestamp
      }
      return renew().catch(() => refused)
    },
  }
}
