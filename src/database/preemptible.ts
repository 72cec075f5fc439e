import type { CancellationToken } from '../util/cancellation-token.ts'
import { DatabaseError } from './database-error.ts'

/** A cancellation token of work that may also be ended in favour of others. */
export class Preemptible implements CancellationToken {
  readonly #cancellation: CancellationToken
  #listeners: Set<() => void> | undefined
  #endedBy: Error | undefined

  constructor(cancellation: CancellationToken) {
    this.#cancellation = cancellation
  }

  get client(): string | undefined {
    return this.#cancellation.client
  }

  get cause(): string | undefined {
    return this.#cancellation.cause
  }

  get endedBy(): Error | undefined {
    return this.#endedBy ?? this.#cancellation.endedBy
  }

  get isCancelled(): boolean {
    return this.#endedBy !== undefined || this.#cancellation.isCancelled
  }

  onCancelled(listener: () => void): () => void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    const stopListening = this.#cancellation.onCancelled(listener)
    return () => {
      this.#listeners?.delete(listener)
      stopListening()
    }
  }

  /** Ends the running statement, and refuses further ones. */
  preempt(): void {
    this.#endedBy = new DatabaseError(
      'timedOut',
      'The statement was ended: all connections to the database were in use, and others had none.',
    )
    for (const listener of [...(this.#listeners ?? [])]) listener()
  }
}
