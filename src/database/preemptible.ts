import type { Waiter } from '../util/waiter.ts'
import { DatabaseError } from './database-error.ts'

/** Who waits for work that can be ended for the sake of others as well. */
export class Preemptible implements Waiter {
  readonly #waiter: Waiter
  #listeners: Set<() => void> | undefined
  #endedBy: Error | undefined

  constructor(waiter: Waiter) {
    this.#waiter = waiter
  }

  get client(): string | undefined {
    return this.#waiter.client
  }

  get endedBy(): Error | undefined {
    return this.#endedBy ?? this.#waiter.endedBy
  }

  get hasGone(): boolean {
    return this.#endedBy !== undefined || this.#waiter.hasGone
  }

  onGone(listener: () => void): () => void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    const stopListening = this.#waiter.onGone(listener)
    return () => {
      this.#listeners?.delete(listener)
      stopListening()
    }
  }

  /** Ends the statement that runs, and refuses those that come. */
  preempt(): void {
    this.#endedBy = new DatabaseError(
      'timedOut',
      'The statement was ended: all connections to the database were in use, and others had none.',
    )
    for (const listener of [...(this.#listeners ?? [])]) listener()
  }
}
