/**
 * All events that are logged or counted. Code reports an event as plain data to one observer; the
 * log and the metrics subscribe to it, and so can a test. No event carries a secret, a token or the
 * value of a statement's parameter.
 */
export type Event =
  | Started
  | Stopping
  | Stopped
  | StartFailed
  | WorkerEnded
  | DatabaseAwaited
  | DatabaseReached
  | LeftOut
  | LongerNameGiven
  | NameNotUsed
  | ConditionsUnfit
  | ChangesLost
  | RequestHandled
  | RequestFailed
  | LogonSucceeded
  | LogonRefused
  | IssuerRoleMissing
  | LoginSucceeded
  | LoginFailed
  | SessionsEnded
  | SessionStoreLost
  | FileMade
  | FileFailed
  | CharactersMissing
  | TemplatesReloaded
  | RendererStarted
  | RendererLost
  | RecordChanged
  | EntitiesApplied
  | UploadResumed
  | UploadUnfinished
  | TableDrifted
  | SchemaReloaded
  | SchemaChanged
  | SchemaReloadFailed
  | TargetJudged
  | StatementRun
  | StatementFailed

/** Receives every event synchronously and in order. It never throws and never waits. */
export type Observer = (event: Event) => void

/** The service accepts requests. */
interface Started {
  readonly kind: 'Started'
  readonly address: string
  readonly tableCount?: number
}

/** The service was asked to stop: it finishes running requests. */
interface Stopping {
  readonly kind: 'Stopping'
  /** The reason: for example, the name of a signal. */
  readonly reason: string
}

/** The service has stopped and released everything. */
interface Stopped {
  readonly kind: 'Stopped'
}

/** The service could not start. */
interface StartFailed {
  readonly kind: 'StartFailed'
  readonly error: unknown
}

/** One of several processes has ended by itself; another one replaces it. */
interface WorkerEnded {
  readonly kind: 'WorkerEnded'
  /** Its exit code, or the signal that ended it. */
  readonly reason: string
}

/** The database cannot be reached at the start; it is tried again every few seconds. */
interface DatabaseAwaited {
  readonly kind: 'DatabaseAwaited'
  readonly error?: unknown
  /** The same as a sentence that says what to do, if there is one. */
  readonly reason?: string
}

/** The database that was awaited at the start can be reached. */
interface DatabaseReached {
  readonly kind: 'DatabaseReached'
}

/** The store cannot be checked for changes: until it can, cached rights are not used. */
interface ChangesLost {
  readonly kind: 'ChangesLost'
  readonly error: unknown
}

/** Something in the database cannot be served; everything else is. */
interface LeftOut {
  readonly kind: 'LeftOut'
  /** A table or column. */
  readonly what: string
  readonly reason: string
}

/** A new table has a longer name in GraphQL than its own, which belongs to another table or to the schema. */
interface LongerNameGiven {
  readonly kind: 'LongerNameGiven'
  readonly table: string
  /** The name that belongs to another one. */
  readonly wanted: string
  readonly name: string
}

/**
 * An authority, or a public route, with conditions grants nothing on an entity from now on: it names a field that the
 * entity does not have.
 */
interface ConditionsUnfit {
  readonly kind: 'ConditionsUnfit'
  /** The role of the authority. */
  readonly role?: string
  readonly route?: string
  readonly entity: string
  readonly reason: string
}

/** A chosen name is not used: its table or column is missing, or something else has the name. */
interface NameNotUsed {
  readonly kind: 'NameNotUsed'
  readonly reason: string
}

/** A request was handled, successfully or not. */
interface RequestHandled {
  readonly kind: 'RequestHandled'
  readonly requestId: string
  readonly method: string
  /** The path without its query, which may hold personal data. */
  readonly path: string
  /** The route that handled it, of which there are few, unlike paths. Absent if there was none. */
  readonly route?: string
  readonly status: number
  readonly milliseconds: number
  /** Username of the caller, if authenticated. */
  readonly account?: string
  /** The trace id that the request sent. */
  readonly traceId?: string
}

/** A request failed with an error that the client did not cause; the client saw only its kind. */
interface RequestFailed {
  readonly kind: 'RequestFailed'
  readonly requestId: string
  /** The trace id that the request sent. */
  readonly traceId?: string
  readonly error: unknown
}

/** A token of another issuer gives a role that does not exist. */
interface IssuerRoleMissing {
  readonly kind: 'IssuerRoleMissing'
  /** The issuer's name in the configuration. */
  readonly issuer: string
  readonly role: string
}

/** An account logged on. */
interface LogonSucceeded {
  readonly kind: 'LogonSucceeded'
  readonly account: string
  /** Username of the service that requested it, if the account did not itself. */
  readonly by?: string
  /** Network address of the caller. */
  readonly address: string
  readonly requestId: string
}

/** A logon was refused. The reason is not given: key, name and password are one secret. */
interface LogonRefused {
  readonly kind: 'LogonRefused'
  /** The username that was tried. */
  readonly account: string
  /** Username of the service where it was tried, if that was not the gateway. */
  readonly by?: string
  /** Network address of the client. */
  readonly address: string
  readonly requestId: string
}

/** A user logged in at the web front. */
interface LoginSucceeded {
  readonly kind: 'LoginSucceeded'
  /** Name of the login provider. */
  readonly provider: string
  readonly account: string
  readonly requestId: string
}

/** A login at the web front failed. */
interface LoginFailed {
  readonly kind: 'LoginFailed'
  /** Name of the login provider. */
  readonly provider: string
  /** Code of the error that the user saw. */
  readonly code: string
  readonly error: unknown
  readonly requestId: string
}

/** Sessions of the web front were ended, by their user or by the login provider. */
interface SessionsEnded {
  readonly kind: 'SessionsEnded'
  readonly provider: string
  readonly count: number
  readonly requestId: string
}

/** The session store cannot be reached; it is tried again. */
interface SessionStoreLost {
  readonly kind: 'SessionStoreLost'
  readonly error: unknown
}

/** A file was made from a template and sent. */
interface FileMade {
  readonly kind: 'FileMade'
  readonly template: string
  /** Its file extension. */
  readonly format: string
  readonly bytes: number
  /** How long it waited for its turn, if it had to. */
  readonly waitedMilliseconds: number
  /** From the request to the end of the file. */
  readonly milliseconds: number
  /** How many other files were running or waiting when it was requested. */
  readonly others: number
  readonly requestId: string
}

/**
 * A file was not made: the request was wrong, something failed on the server, or the client has
 * left.
 */
interface FileFailed {
  readonly kind: 'FileFailed'
  /** Name of the template, if it was read. */
  readonly template?: string
  /** Code of the error that the client saw; `CLIENT_GONE` if it had left. */
  readonly code: string
  readonly milliseconds: number
  readonly requestId: string
}

/** The browser has no font for characters of a PDF or an image, and drew boxes in their place. */
export interface CharactersMissing {
  readonly kind: 'CharactersMissing'
  readonly template: string
  /** The first of them: `U+13A0`. */
  readonly characters: readonly string[]
  /** The scripts of these, by their Unicode names. Symbols and emoji belong to none. */
  readonly scripts: readonly string[]
  readonly requestId: string
}

/** Files of templates have changed and were read again. */
interface TemplatesReloaded {
  readonly kind: 'TemplatesReloaded'
  /** What is wrong in them; if anything is, the old ones stay. */
  readonly mistakes: readonly string[]
}

/** The headless browser that renders files was started. */
interface RendererStarted {
  readonly kind: 'RendererStarted'
  readonly milliseconds: number
}

/**
 * The headless browser has ended by itself, or was killed because it used too much; it is started
 * again when needed.
 */
interface RendererLost {
  readonly kind: 'RendererLost'
  readonly reason: string
}

/** One of the gateway's own records was changed. */
interface RecordChanged {
  readonly kind: 'RecordChanged'
  readonly record: 'role' | 'account' | 'api_key' | 'route' | 'token' | 'entity' | 'name'
  readonly change: 'created' | 'changed' | 'deleted'
  /** Name of the record that was changed. */
  readonly name: string
  /** Username of who changed it. */
  readonly account: string
  readonly requestId: string
}

/** Entity definitions were uploaded, and the database has their tables. */
interface EntitiesApplied {
  readonly kind: 'EntitiesApplied'
  /** The names of the entities that were applied. */
  readonly entities: readonly string[]
  /** Username of who uploaded them. */
  readonly account: string
  readonly requestId: string
}

/** An interrupted upload was completed or undone. */
interface UploadResumed {
  readonly kind: 'UploadResumed'
  /** Its id in the journal. */
  readonly upload: string
  readonly outcome: 'completed' | 'undone'
}

/** What an upload removes could not be removed yet; it is tried again. */
interface UploadUnfinished {
  readonly kind: 'UploadUnfinished'
  /** Its id in the journal. */
  readonly upload: string
  readonly error: unknown
}

/** A table differs from its definition: another program has changed it. */
interface TableDrifted {
  readonly kind: 'TableDrifted'
  /** Name of the entity. */
  readonly entity: string
  readonly detail: string
}

/** A new version of the schema is served. */
interface SchemaReloaded {
  readonly kind: 'SchemaReloaded'
  readonly version: number
  /** How many tables it has. */
  readonly tables: number
  readonly milliseconds: number
}

/** The served tables or their names have changed. */
interface SchemaChanged {
  readonly kind: 'SchemaChanged'
  /** In words, of many only the first: `table "a"`, `column "b" of table "a"`. */
  readonly appeared: readonly string[]
  readonly vanished: readonly string[]
  readonly changed: readonly string[]
}

/** The schema could not be read again; the last good one is still served. */
interface SchemaReloadFailed {
  readonly kind: 'SchemaReloadFailed'
  readonly error: unknown
}

/** Health checks have changed the state of a target of an upstream API. */
interface TargetJudged {
  readonly kind: 'TargetJudged'
  /** Its address. */
  readonly target: string
  readonly judgement: 'up' | 'down'
}

/** The database ran a statement. */
interface StatementRun {
  readonly kind: 'StatementRun'
  /** The text with its placeholders, never with values. */
  readonly sql: string
  /** What ran it: `GET /apis/ports`, `GraphQL Ports`; absent for the gateway itself. */
  readonly cause?: string
  readonly rows?: number
  readonly milliseconds: number
}

/** The database refused a statement. */
interface StatementFailed {
  readonly kind: 'StatementFailed'
  /** The text with its placeholders, never with values. */
  readonly sql: string
  readonly error: unknown
}
