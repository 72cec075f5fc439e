/**
 * Writes what happened as JSON lines, one event a line. The texts and levels of the log live here and
 * nowhere else, so that what is logged can be read, and changed, in one place.
 */
import { type DestinationStream, pino, stdTimeFunctions } from 'pino'
import { describeError } from './describe-error.ts'
import type { Event, Observer } from './events.ts'
import { redact } from './redact.ts'

/** How much is logged: events of this level and of more serious ones. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** What the log needs to know. */
export interface LogOptions {
  readonly level: LogLevel
  /** Receives each line, line end included. */
  readonly destination: DestinationStream
}

interface LogLine {
  readonly level: Exclude<LogLevel, 'silent'>
  readonly text: string
}

const logLines: { readonly [Kind in Event['kind']]: LogLine } = {
  Started: { level: 'info', text: 'The service is ready.' },
  Stopping: { level: 'info', text: 'The service is stopping.' },
  Stopped: { level: 'info', text: 'The service has stopped.' },
  StartFailed: { level: 'error', text: 'The service could not start.' },
  WorkerEnded: { level: 'error', text: 'A process has ended; another one is started.' },
  DatabaseAwaited: { level: 'error', text: 'The database cannot be reached; it is tried again.' },
  ChangesLost: { level: 'error', text: 'The records cannot be asked for changes.' },
  LeftOut: { level: 'warn', text: 'A part of the database cannot be served.' },
  LongerNameGiven: { level: 'warn', text: 'A new table has a longer name; its own belongs to another one.' },
  NameNotUsed: { level: 'warn', text: 'A chosen name is not used.' },
  RequestHandled: { level: 'info', text: 'Request handled.' },
  RequestFailed: { level: 'error', text: 'A request failed on our side.' },
  LogonSucceeded: { level: 'info', text: 'Logon succeeded.' },
  LogonRefused: { level: 'warn', text: 'Logon refused.' },
  LoginSucceeded: { level: 'info', text: 'Somebody logged in.' },
  LoginFailed: { level: 'warn', text: 'A log-in failed.' },
  SessionsEnded: { level: 'info', text: 'Sessions were ended.' },
  SessionStoreLost: { level: 'error', text: 'The store of the sessions cannot be reached.' },
  FileMade: { level: 'info', text: 'A file was made from a template.' },
  FileFailed: { level: 'warn', text: 'A file was not made.' },
  TemplatesReloaded: { level: 'info', text: 'Templates were read again.' },
  RendererStarted: { level: 'info', text: 'The headless browser was started.' },
  RendererLost: { level: 'warn', text: 'The headless browser has ended.' },
  RecordChanged: { level: 'info', text: 'A record was changed.' },
  EntitiesApplied: { level: 'info', text: 'Entity definitions were applied.' },
  UploadResumed: { level: 'warn', text: 'An upload that was cut off was brought to its end.' },
  UploadUnfinished: { level: 'warn', text: 'A part of an upload waits; it is tried again.' },
  TableDrifted: { level: 'warn', text: 'A table is not what its entity definition made of it.' },
  SchemaReloaded: { level: 'info', text: 'A new schema is served.' },
  SchemaChanged: { level: 'info', text: 'Other tables are served than before.' },
  SchemaReloadFailed: {
    level: 'error',
    text: 'The schema could not be reloaded; the last one is still served.',
  },
  TargetJudged: { level: 'warn', text: 'A target of an upstream API works again, or no longer.' },
  StatementRun: { level: 'debug', text: 'Statement run.' },
  StatementFailed: { level: 'warn', text: 'The database refused a statement.' },
}

/** An observer that writes each event as one JSON line: level, time (UTC, ISO 8601), kind, its fields, text. */
export function createLogObserver({ level, destination }: LogOptions): Observer {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'text',
    },
    destination,
  )
  return (event) => {
    const line = logLines[event.kind]
    if (logger.isLevelEnabled(line.level)) logger[line.level](fieldsOf(event), line.text)
  }
}

function fieldsOf(event: Event): object {
  const { error, ...fields } = { error: undefined, ...event }
  const safe = redact(withoutQuery(fields)) as object
  return error === undefined ? safe : { ...safe, error: describeError(error) }
}

/** Query strings hold personal data and sometimes tokens: a path is cut before its query, should one come along. */
function withoutQuery<Fields extends object>(fields: Fields): Fields {
  if (!('path' in fields) || typeof fields.path !== 'string') return fields
  return { ...fields, path: fields.path.replace(/\?.*/s, '') }
}
