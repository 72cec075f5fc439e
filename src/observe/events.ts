/**
 * Everything that can happen and is worth telling somebody. Code reports what happened as plain data to
 * one observer; the log and the metrics are readers of this list, and a test can listen too.
 * No event carries a secret, a token or the value of a statement's parameter.
 */
export type Event =
  | Started
  | Stopping
  | Stopped
  | StartFailed
  | WorkerEnded
  | DatabaseAwaited
  | LeftOut
  | LongerNameGiven
  | NameNotUsed
  | ChangesLost
  | RequestHandled
  | RequestFailed
  | LogonSucceeded
  | LogonRefused
  | LoginSucceeded
  | LoginFailed
  | SessionsEnded
  | SessionStoreLost
  | FileMade
  | FileFailed
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

/** Receives every event, at once and in order. It never throws and never waits. */
export type Observer = (event: Event) => void

/** The service accepts requests. */
interface Started {
  readonly kind: 'Started'
  readonly address: string
  readonly tableCount?: number
}

/** The service was asked to end: it finishes what it began. */
interface Stopping {
  readonly kind: 'Stopping'
  /** Who asked: the name of a signal, for example. */
  readonly reason: string
}

/** The service has ended and gave everything back. */
interface Stopped {
  readonly kind: 'Stopped'
}

/** The service could not start. */
interface StartFailed {
  readonly kind: 'StartFailed'
  readonly error: unknown
}

/** One of several processes has ended by itself; another one takes its place. */
interface WorkerEnded {
  readonly kind: 'WorkerEnded'
  /** Its exit code, or the signal that ended it. */
  readonly reason: string
}

/** The database cannot be reached at the start; it is tried again. */
interface DatabaseAwaited {
  readonly kind: 'DatabaseAwaited'
  readonly error: unknown
  readonly retryMilliseconds: number
}

/** The records cannot be asked for changes: until they can, nobody is let in by what was known. */
interface ChangesLost {
  readonly kind: 'ChangesLost'
  readonly error: unknown
}

/** Something in the database cannot be served; everything else is. */
interface LeftOut {
  readonly kind: 'LeftOut'
  /** A table or a column of one. */
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

/** A chosen name is not used: what it is for is not there, or something else has it. */
interface NameNotUsed {
  readonly kind: 'NameNotUsed'
  readonly reason: string
}

/** A request was answered, well or not. */
interface RequestHandled {
  readonly kind: 'RequestHandled'
  readonly requestId: string
  readonly method: string
  /** The path without its query, which may hold personal data. */
  readonly path: string
  /** What took it: one of few, unlike the path. Absent where nothing did. */
  readonly route?: string
  readonly status: number
  readonly milliseconds: number
  /** Username of the caller, where one was authenticated. */
  readonly account?: string
  /** The trace that the request said it belongs to. */
  readonly traceId?: string
}

/** A request ended in an error that is ours; the client saw only its kind. */
interface RequestFailed {
  readonly kind: 'RequestFailed'
  readonly requestId: string
  /** The trace that the request said it belongs to. */
  readonly traceId?: string
  readonly error: unknown
}

/** Somebody logged on. */
interface LogonSucceeded {
  readonly kind: 'LogonSucceeded'
  readonly account: string
  /** Username of the service that asked for it, where the account did not itself. */
  readonly by?: string
  /** Network address of the caller. */
  readonly address: string
  readonly requestId: string
}

/** A logon was refused. Why is not told: key, name and password are one secret. */
interface LogonRefused {
  readonly kind: 'LogonRefused'
  /** The username that was tried. */
  readonly account: string
  /** Username of the service where it was tried, where that was not the gateway. */
  readonly by?: string
  /** Network address of whoever tried. */
  readonly address: string
  readonly requestId: string
}

/** Somebody logged in at the web front. */
interface LoginSucceeded {
  readonly kind: 'LoginSucceeded'
  /** Name of the login provider. */
  readonly provider: string
  readonly account: string
  readonly requestId: string
}

/** A log-in at the web front did not come to its end. */
interface LoginFailed {
  readonly kind: 'LoginFailed'
  /** Name of the login provider. */
  readonly provider: string
  /** Code of the error that the user was told. */
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

/** The store of the sessions cannot be reached; it is tried again. */
interface SessionStoreLost {
  readonly kind: 'SessionStoreLost'
  readonly error: unknown
}

/** A file was made from a template and sent. */
interface FileMade {
  readonly kind: 'FileMade'
  readonly template: string
  /** Its ending. */
  readonly format: string
  readonly bytes: number
  /** How long it waited for its turn, where it needed one. */
  readonly waitedMilliseconds: number
  /** From the order to the end of the file. */
  readonly milliseconds: number
  /** How many other files were under way or waited when it was ordered. */
  readonly others: number
  readonly requestId: string
}

/** A file was not made: something is wrong with the order or on our side, or its client has left. */
interface FileFailed {
  readonly kind: 'FileFailed'
  /** Name of the template, where the order came that far. */
  readonly template?: string
  /** Code of the error that the client was told; `CLIENT_GONE` where there was none any more. */
  readonly code: string
  readonly milliseconds: number
  readonly requestId: string
}

/** Files of templates have changed and were read again. */
interface TemplatesReloaded {
  readonly kind: 'TemplatesReloaded'
  /** What is wrong in them; with mistakes the former ones stay. */
  readonly mistakes: readonly string[]
}

/** The headless browser that draws files was started. */
interface RendererStarted {
  readonly kind: 'RendererStarted'
  readonly milliseconds: number
}

/** The headless browser has ended by itself, or was ended because it used too much; it is started again when it is needed. */
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

/** An upload that was cut off has come to its end. */
interface UploadResumed {
  readonly kind: 'UploadResumed'
  /** Its id in the journal. */
  readonly upload: string
  readonly outcome: 'completed' | 'undone'
}

/** What an upload takes away could not be taken away yet; it is tried again. */
interface UploadUnfinished {
  readonly kind: 'UploadUnfinished'
  /** Its id in the journal. */
  readonly upload: string
  readonly error: unknown
}

/** A table is not what its definition made of it: something else has changed it. */
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

/** The tables that are served, or their names, are not those from before, whoever changed them. */
interface SchemaChanged {
  readonly kind: 'SchemaChanged'
  /** In words, and cut where there are many: `table "a"`, `column "b" of table "a"`. */
  readonly appeared: readonly string[]
  readonly vanished: readonly string[]
  readonly changed: readonly string[]
}

/** The schema could not be read again; the last good one is still served. */
interface SchemaReloadFailed {
  readonly kind: 'SchemaReloadFailed'
  readonly error: unknown
}

/** Health checks have changed what is thought of a target of an upstream API. */
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
