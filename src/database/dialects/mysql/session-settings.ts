/** What each session is set to, whatever the server is set to. */
import { serverLimitOf } from '../../server-limit.ts'

/** How long a transaction that has changed something may stand open without a statement, in seconds. */
const idleInTransactionSeconds = 120

/**
 * Independent of how the server is configured: UTC, no value is bent to fit, a reader sees one state of the data, and the
 * server ends by itself what a program leaves behind that hangs. The comments are for one of the products only, which runs
 * what is in them.
 */
export function sessionSettings(statementTimeoutMs: number): readonly string[] {
  const limitMs = serverLimitOf(statementTimeoutMs)
  return [
    `set time_zone = '+00:00', sql_mode = ${sessionMode('@@global.sql_mode')}
/*M!100301 , max_statement_time = ${limitMs / 1000}, idle_write_transaction_timeout = ${idleInTransactionSeconds} */
/*!80000 , max_execution_time = ${limitMs} */`,
    'set session transaction isolation level repeatable read',
  ]
}

/** Our statements are written for these, and none that says otherwise how SQL is read, such as `ANSI_QUOTES`. */
const ownModes = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'

/** Which values a table takes: as the server has it, so that its tables take what they take from other programs. */
const valueModes = [
  'NO_ZERO_IN_DATE',
  'NO_ZERO_DATE',
  'ALLOW_INVALID_DATES',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_AUTO_VALUE_ON_ZERO',
  'TIME_ROUND_FRACTIONAL',
]

/** The mode of a session in SQL, for a server whose mode is `serverMode`, in SQL. */
export function sessionMode(serverMode: string): string {
  const kept = valueModes.map((mode) => `if(find_in_set('${mode}', ${serverMode}), '${mode}', null)`)
  return `concat_ws(',', '${ownModes}', ${kept.join(', ')})`
}
