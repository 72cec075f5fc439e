/**
 * The link with which the person who starts the program for the first time chooses a password for the first account, in
 * place of the generated one: good once, for 15 minutes, in this process, and as long as the generated password is valid.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../util/clock.ts'
import { Semaphore } from '../../../util/semaphore.ts'
import { hashOf, newSecret } from '../../session/secret.ts'

/** An account with a generated password that no one has used. */
export interface FirstAccount {
  readonly username: string
  readonly password: string
}

/** What became of a use of the link. */
export interface FirstUse<Outcome> {
  readonly outcome: Outcome
  /** Whether the link has done its work, and is over. */
  readonly isDone: boolean
}

const lifetimeMs = 15 * 60_000

/** At most one link at a time. */
export class FirstLogin {
  readonly #now: Clock
  readonly #turns = new Semaphore(1)
  #offered: { readonly codeHash: string; readonly endsAt: number; readonly account: FirstAccount } | undefined

  constructor(now: Clock) {
    this.#now = now
  }

  /** The code for the link. */
  offer(account: FirstAccount): string {
    const code = newSecret()
    const endsAt = this.#now().getTime() + lifetimeMs
    this.#offered = { codeHash: hashOf(code), endsAt, account }
    return code
  }

  /** The username of the account, if there is a link that is still good. */
  offeredTo(): string | undefined {
    return this.#current()?.account.username
  }

  /** Uses the link, one call at a time; undefined if the code is not that of a link that is still good. */
  use<Outcome>(
    code: string,
    work: (account: FirstAccount) => Promise<FirstUse<Outcome>>,
  ): Promise<Outcome | undefined> {
    return this.#turns.run(async () => {
      const offered = this.#current()
      if (offered === undefined || !isSame(hashOf(code), offered.codeHash)) return undefined
      const { outcome, isDone } = await work(offered.account)
      if (isDone) this.#offered = undefined
      return outcome
    })
  }

  #current() {
    if (this.#offered !== undefined && this.#offered.endsAt <= this.#now().getTime())
      this.#offered = undefined
    return this.#offered
  }
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
