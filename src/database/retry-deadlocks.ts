import { DatabaseError } from './database-error.ts'
import type { Driver } from './driver.ts'

/** How often a transaction is begun: each time another one has gone on in its place. */
const attempts = 8

/**
 * The same driver, whose transactions begin again when a deadlock has undone them: their work may run several times. Changes
 * of tables (`unlimited`) begin again by their own rules.
 */
export function retryDeadlocks(driver: Driver): Driver {
  return {
    read: (work, options) => driver.read(work, options),
    async transaction(work, options) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await driver.transaction(work, options)
        } catch (error) {
          const isUndone = error instanceof DatabaseError && error.kind === 'deadlock'
          if (!isUndone || options?.unlimited || attempt === attempts) throw error
        }
      }
    },
    close: () => driver.close(),
  }
}
