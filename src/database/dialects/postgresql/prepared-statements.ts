import type { PoolClient } from 'pg'
import { connectionOf } from './row-connection.ts'

const preparedLimit = 256

/** What the driver remembers of a connection's prepared statements, by name; it never forgets by itself. */
interface RemembersStatements {
  readonly parsedStatements: Record<string, unknown>
}

/** The names of one connection's prepared statements: as many as are kept, and the ones used last. */
export class PreparedStatements {
  readonly #names = new Map<string, string>()
  #count = 0

  /** The name for a statement's text. Where another one has to go for it, `client` is told before its next statement. */
  nameOf(sql: string, client: PoolClient): string {
    const known = this.#names.get(sql)
    if (known !== undefined) {
      this.#names.delete(sql)
      this.#names.set(sql, known)
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

  #forgetOldest(client: PoolClient): void {
    const [oldest] = this.#names
    if (oldest !== undefined) this.forget(oldest[0], client)
  }

  /** Makes the statement's next use prepare it again. To be called outside of a transaction that has failed, or before its end. */
  forget(sql: string, client: PoolClient): void {
    const name = this.#names.get(sql)
    if (name === undefined) return
    this.#names.delete(sql)
    const connection = connectionOf(client)
    const { parsedStatements } = connection as unknown as RemembersStatements
    // One that failed was never prepared.
    if (!connection.hasPrepared(name) && parsedStatements[name] === undefined) return
    connection.forget(name)
    delete parsedStatements[name]
    client.query(`deallocate ${name}`).catch(() => undefined)
  }
}
