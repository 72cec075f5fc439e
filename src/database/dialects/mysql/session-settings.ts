/** The settings of each session, independent of the server's. */
import { serverLimitOf } from '../../server-limit.ts'

/** How long a transaction with changes may be idle, in seconds. */
const idleInTransactionSeconds = 120

/**
 * Independent of the server's configuration: UTC, consistent snapshots, and time limits by which the server ends what
 * a hanging program leaves behind. Each conditional comment is executed by one of the products only.
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

/** Our statements are written for these modes, and for none that changes how SQL is parsed, such as `ANSI_QUOTES`. */
const ownModes = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'

/**
 * Modes that decide which values a table accepts: as on the server, so that its tables accept the same as from other
 * programs.
 */
const valueModes = [
  'NO_ZERO_IN_DATE',
  'NO_ZERO_DATE',
  'ALLOW_INVALID_DATES',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_AUTO_VALUE_ON_ZERO',
  'TIME_ROUND_FRACTIONAL',
]

/**
 * For statements with temporary results, such as `union` and `distinct`, dates without a day or month would become
 * zero.
 */
const changingModes = ['NO_ZERO_IN_DATE', 'NO_ZERO_DATE']

/** The SQL modes of a session, for a server whose mode is `serverMode`, in SQL: one to read, one to write. */
export function sessionModes(serverMode: string): string {
  const modeOf = (modes: readonly string[]) =>
    `concat_ws(',', '${ownModes}', ${modes.map((mode) => `if(find_in_set('${mode}', ${serverMode}), '${mode}', null)`).join(', ')})`
  const readingModes = valueModes.filter((mode) => !changingModes.includes(mode))
  return `${modeOf(readingModes)} as reading, ${modeOf(valueModes)} as changing`
}

/** What a connection is used for. */
export type Purpose = 'reading' | 'changing'

/** The mode of one session. */
export class SessionMode {
  readonly #serverMode: string
  #modes: Readonly<Record<Purpose, string>> | undefined
  #current: string | undefined

  constructor(serverMode: string) {
    this.#serverMode = serverMode
  }

  /** Sets the session to the mode of a purpose, if it has another one. */
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
