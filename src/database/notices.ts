import type { Connection } from './driver.ts'

/** Notices that a database carries to every program that listens, at once. Not every product can. */
export interface Notices {
  /** Sends a notice in a transaction: it goes out when that is committed, and never when it is undone. */
  send(connection: Connection): Promise<void>
  /**
   * Calls `heard` for every notice until it is stopped, and whenever some may have been missed because the
   * server was away. Nothing that fails here fails anything else: whoever listens asks from time to time, too.
   */
  listen(heard: () => void): Listening
}

export interface Listening {
  stop(): Promise<void>
}
