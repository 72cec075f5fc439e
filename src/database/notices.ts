import type { Connection } from './driver.ts'

/** Notices that a database delivers immediately to every listening program. Not every product can. */
export interface Notices {
  /** Sends a notice in a transaction: it is delivered on commit, and never after a rollback. */
  send(connection: Connection): Promise<void>
  /**
   * Calls `heard` for every notice until it is stopped, and whenever some may have been missed because the server was
   * unreachable. Failures here affect nothing else: listeners poll, too.
   */
  listen(heard: () => void): Listening
}

export interface Listening {
  stop(): Promise<void>
}
