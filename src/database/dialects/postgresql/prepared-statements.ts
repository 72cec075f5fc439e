import type { PoolClient } from 'pg'
import { preparedIn } from './pg-internals.ts'
import { rowConnectionOf } from './wire-reader/row-connection.ts'

const preparedLimit = 256

/** The names of one connection's prepared statements: a limited number, the least recently used is dropped first. */
export class PreparedStatements {
  readonly #names = new Map<string, string>()
  #count = 0
  /** Undefined if some of them may still have to be deallocated. */
  #generation: number | undefined = 0

  /**
   * The name for a statement's text. If another one is dropped for it, it is deallocated before the next statement.
   */
  nameOf(sql: string, client: PoolClient): string {
    const known = this.#names.get(sql)
    if (known !== undefined) {
      // Only where some may soon be dropped does their order matter.
      if (this.#names.size > preparedLimit / 2) {
        this.#names.delete(sql)
        this.#names.set(sql, known)
      }
      return known
    }
    this.#count += 1
    const name = `gatehouse_${this.#count}`
    this.#names.set(sql, name)
    if (this.#names.size > preparedLimit) this.#forgetOldest(client)
    return name
  }

  /** Whether a statement has a name. */
  has(sql: string): boolean {
    return this.#names.has(sql)
  }

  /** Forgets all statements of an earlier generation. */
  renew(generation: number, client: PoolClient): void {
    if (generation === this.#generation) return
    const isEmpty = this.#generation !== undefined && this.#names.size === 0
    this.#generation = generation
    if (isEmpty) return
    const connection = rowConnectionOf(client)
    const parsedStatements = preparedIn(connection)
    for (const name of this.#names.values()) {
      connection.forget(name)
      delete parsedStatements[name]
    }
    this.#names.clear()
    this.#deallocate('all', client)
  }

  #forgetOldest(client: PoolClient): void {
    const [oldest] = this.#names
    if (oldest !== undefined) this.forget(oldest[0], client)
  }

  /** Prepares the statement again on its next use. */
  forget(sql: string, client: PoolClient): void {
    const name = this.#names.get(sql)
    if (name === undefined) return
    this.#names.delete(sql)
    const connection = rowConnectionOf(client)
    const parsedStatements = preparedIn(connection)
    // A statement that failed was never prepared.
    if (!connection.hasPrepared(name) && parsedStatements[name] === undefined) return
    connection.forget(name)
    delete parsedStatements[name]
    this.#deallocate(name, client)
  }

  /** A failed transaction refuses it: then all are deallocated at the next use, until one is behind its end. */
  #deallocate(what: string, client: PoolClient): void {
    // In the order of the requests: one behind it may have the name of a statement that it prepares.
    rowConnectionOf(client)
      .command(`deallocate ${what}`)
      .catch(() => {
        this.#generation = undefined
      })
  }
}
