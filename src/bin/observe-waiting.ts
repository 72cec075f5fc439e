import type { Observer } from '../observe/events.ts'
import type { Invocation } from './command.ts'
import { type Databases, databaseFailure } from './database-failure.ts'

/**
 * The same observer, to which a database that is awaited is told with a sentence in place of the error. Until the service has
 * started, statements that fail are not told: the reason for a failed start names them. A person at a terminal reads
 * sentences until then.
 */
export function observeWaiting(
  observe: Observer,
  databases: Databases,
  { terminal, warn }: Invocation,
): Observer {
  const isTerminal = terminal?.showProgress !== undefined
  let isStarted = false
  return (event) => {
    if (event.kind === 'Started') isStarted = true
    if (!isStarted && event.kind === 'StatementFailed') return
    if (!isStarted && isTerminal && event.kind === 'DatabaseReached')
      return warn('The database can be reached.')
    const reason = event.kind === 'DatabaseAwaited' ? databaseFailure(event.error, databases) : undefined
    if (reason === undefined) return observe(event)
    if (isTerminal) warn(`${reason} Trying again every few seconds …`)
    else observe({ kind: 'DatabaseAwaited', reason })
  }
}
