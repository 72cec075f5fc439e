/** What each session is set to, whatever the server is set to. */
import { serverLimitOf } from '../../server-limit.ts'

/** How long a transaction that has changed something may stand open without a statement, in seconds. */
const idleInTransactionSeconds = 120

/**
 * Independent of how the server is configured: UTC, a reader sees one state of the data, and the server ends by itself what
 * a program leaves behind that hangs. The comments are for one of the products only, which runs what is in them.
 */
export function sessionSettings(statementTimeoutMs: number): readonly string[] {
  const limitMs = serverLimitOf(statementTimeoutMs)
  return [
    `set time_zone = '+00:00'
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

/** Dates without a day or a month would be zero in what a statement keeps of its rows, as for `union` and `distinct`. */
const changingModes = ['NO_ZERO_IN_DATE', 'NO_ZERO_DATE']

/** The modes of a session in SQL, for a server whose mode is `serverMode`, in SQL: one to read with, one to change with. */
export function sessionModes(serverMode: string): string {
  const modeOf = (modes: readonly string[]) =>
    `concat_ws(',', '${ownModes}', ${modes.map((mode) => `if(find_in_set('${mode}', ${serverMode}), '${mode}', null)`).join(', ')})`
  const readingModes = valueModes.filter((mode) => !changingModes.includes(mode))
  return `${modeOf(readingModes)} as reading, ${modeOf(valueModes)} as changing`
}

/** What a connection is taken for. */
export type Purpose = 'reading' | 'changing'

/** The mode of one session. */
export class SessionMode {
  readonly #serverMode: string
  #modes: Readonly<Record<Purpose, string>> | undefined
  #current: string | undefined

  constructor(serverMode: string) {
    this.#serverMode = serverMode
  }

  /** Sets the session to the mode of a purpose, where it has another one. */
  async set(purpose: Purpose, run: (sql: string) => Promise<readonly unknown[]>): Promise<void> {
    this.#modes ??= await this.#read(run)
    const mode = this.#modes[purpose]
    if (mode === this.#current) return
    await run(`set sql_mode = '${mode}'`)
    this.#current = mode
  }

  async #read(run: (sql: string) => Promise<readonly unknown[]>): Promise<Readonly<Record<Purpose, string>>> {
    const [row] = (await run(`select ${sessionModes(this.#serverMode)}`)) as readonly (readonly unknown[])[]
    const [reading, changing] = row ?? []
    return { reading: String(reading), changing: String(changing) }
  }
}
