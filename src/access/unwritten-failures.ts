import { LruCache } from '../util/lru-cache.ts'

/** How many failures of how many seconds lock what they were about. */
export interface FailureLimit {
  readonly failures: number
  readonly seconds: number
}

const mostSubjects = 10_000

/** Failed logons that cannot be written down, because the store is full: counted by this process alone. */
export class UnwrittenFailures {
  readonly #limit: FailureLimit
  readonly #bySubject = new LruCache<string, { readonly number: number; readonly first: Date }>(mostSubjects)

  constructor(limit: FailureLimit) {
    this.#limit = limit
  }

  /** The seconds for which a subject is locked; 0 where it is not. */
  secondsLocked(subject: string, moment: Date): number {
    const found = this.#bySubject.get(subject)
    if (found === undefined || found.number < this.#limit.failures) return 0
    return Math.max(0, Math.ceil(this.#limit.seconds - (moment.getTime() - found.first.getTime()) / 1000))
  }

  note(subject: string, moment: Date): void {
    const found = this.#bySubject.get(subject)
    const isOld =
      found === undefined || moment.getTime() - found.first.getTime() >= this.#limit.seconds * 1000
    const counted = isOld ? { number: 1, first: moment } : { ...found, number: found.number + 1 }
    this.#bySubject.set(subject, counted)
  }

  /** After a right logon. */
  forget(subject: string): void {
    this.#bySubject.delete(subject)
  }
}
