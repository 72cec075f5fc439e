import type { FailureCount } from '../../store/logon-attempt-store.ts'
import { GenerationalCache } from '../../util/generational-cache.ts'

const mostSubjects = 30_000

/** Failed logons that cannot be stored because the store is full: counted only by this process. */
export class UnwrittenFailures {
  readonly #windowMs: number
  readonly #bySubject = new GenerationalCache<string, FailureCount>(mostSubjects)

  /** A window begins with the first failure of a subject. */
  constructor(windowSeconds: number) {
    this.#windowMs = windowSeconds * 1000
  }

  /** The failures of a subject within the window; undefined if there are none. */
  count(subject: string, timestamp: Date): FailureCount | undefined {
    const found = this.#bySubject.get(subject)
    const isOver = found === undefined || timestamp.getTime() - Date.parse(found.first) >= this.#windowMs
    return isOver ? undefined : found
  }

  note(subjects: readonly string[], timestamp: Date): void {
    for (const subject of subjects) {
      const { number, first } = this.count(subject, timestamp) ?? {
        number: 0,
        first: timestamp.toISOString(),
      }
      this.#bySubject.set(subject, { number: number + 1, first })
    }
  }
}
