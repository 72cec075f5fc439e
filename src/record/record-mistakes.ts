import { jsonPointer } from '../documents/parse-document.ts'
import { AppError, type Mistake, toldMistakes } from '../errors/app-error.ts'

/** The records of one call, by index. */
export type RecordPath = readonly [] | readonly [index: number]

/** Collects the mistakes in the records of a call, and throws them together. */
export class RecordMistakes {
  readonly #invalid: Mistake[] = []
  readonly #taken: Mistake[] = []
  readonly #refused = new Set<number>()

  /** Whether there is none. */
  get areNone(): boolean {
    return this.#invalid.length + this.#taken.length === 0
  }

  /** The indexes of the records that break a rule, however many are reported. */
  get refused(): ReadonlySet<number> {
    return this.#refused
  }

  /** Whether no more are reported, so that the check can stop. */
  get areMany(): boolean {
    return this.#invalid.length + this.#taken.length > toldMistakes
  }

  /** A rule that a value breaks; without a field the record itself. */
  invalid(path: RecordPath, field: string | undefined, detail: string): void {
    this.#refused.add(path[0] ?? 0)
    if (!this.areMany) this.#invalid.push(mistakeAt(path, field, detail))
  }

  /** A unique value that another record has; without a field, of one that the caller does not know of. */
  taken(path: RecordPath, field: string | undefined, detail: string): void {
    if (!this.areMany) this.#taken.push(mistakeAt(path, field, detail))
  }

  /** Throws RECORD_INVALID, or VALUE_NOT_UNIQUE if there are only such mistakes. */
  throwIfAny(): void {
    if (this.areNone) return
    const code = this.#invalid.length > 0 ? 'RECORD_INVALID' : 'VALUE_NOT_UNIQUE'
    throw new AppError(code, { mistakes: [...this.#invalid, ...this.#taken] })
  }
}

function mistakeAt(path: RecordPath, field: string | undefined, detail: string): Mistake {
  return { pointer: jsonPointer(field === undefined ? path : [...path, field]), detail }
}
