/**
 * Writes what happened as JSON lines, one event a line. All texts and levels of the log are here,
 * so that they can be read and changed in one place.
 */
import { type DestinationStream, pino, stdTimeFunctions } from 'pino'
import { describeError } from './describe-error.ts'
import type { Event, Observer } from './events.ts'
import { redact } from './redact.ts'

/** How much is logged: events of this level and more serious ones. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** The options of the log. */
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
  WorkerEnded: { level: 'error', text: 'A worker process has ended; another one is started.' },
  DatabaseAwaited: { level: 'error', text: 'The database cannot be reached; the gateway tries again.' },
  DatabaseReached: { level: 'warn', text: 'The database can be reached.' },
  ChangesLost: { level: 'error', text: 'The store cannot be checked for changes.' },
  LeftOut: { level: 'warn', text: 'A part of the database cannot be served.' },
  LongerNameGiven: {
    level: 'warn',
    text: 'A new table has a longer name; its own belongs to another table.',
  },
  ConditionsUnfit: { level: 'warn', text: 'An authority or a public route grants nothing on an entity.' },
  NameNotUsed: { level: 'warn', text: 'A chosen name is not used.' },
  RequestHandled: { level: 'info', text: 'Request handled.' },
  RequestFailed: { level: 'error', text: 'A request failed on our side.' },
  LogonSucceeded: { level: 'info', text: 'Logon succeeded.' },
  LogonRefused: { level: 'warn', text: 'Logon refused.' },
  IssuerRoleMissing: {
    level: 'warn',
    text: 'Tokens of an issuer give a role that does not exist; it gives no rights.',
  },
  LoginSucceeded: { level: 'info', text: 'A user logged in.' },
  LoginFailed: { level: 'warn', text: 'A login failed.' },
  SessionsEnded: { level: 'info', text: 'Sessions were ended.' },
  SessionStoreLost: { level: 'error', text: 'The session store cannot be reached.' },
  FileMade: { level: 'info', text: 'A file was made from a template.' },
  FileFailed: { level: 'warn', text: 'A file was not made.' },
  CharactersMissing: {
    level: 'warn',
    text: 'A file shows boxes for characters that no font of this machine has.',
  },
  TemplatesReloaded: { level: 'info', text: 'Templates were read again.' },
  RendererStarted: { level: 'info', text: 'The headless browser was started.' },
  RendererLost: { level: 'warn', text: 'The headless browser has ended.' },
  RecordChanged: { level: 'info', text: 'A record was changed.' },
  EntitiesApplied: { level: 'info', text: 'Entity definitions were applied.' },
  UploadResumed: { level: 'warn', text: 'An interrupted upload was completed or undone.' },
  UploadUnfinished: { level: 'warn', text: 'A part of an upload is pending; it is tried again.' },
  TableDrifted: { level: 'warn', text: 'A table differs from its entity definition.' },
  SchemaReloaded: { level: 'info', text: 'A new schema is served.' },
  SchemaChanged: { level: 'info', text: 'The served tables have changed.' },
  SchemaReloadFailed: {
    level: 'error',
    text: 'The schema could not be reloaded; the last one is still served.',
  },
  TargetJudged: { level: 'warn', text: 'The health of a target of an upstream API has changed.' },
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

/** Query strings hold personal data and sometimes tokens: they are removed from paths. */
function withoutQuery<Fields extends object>(fields: Fields): Fields {
  if (!('path' in fields) || typeof fields.path !== 'string') return fields
  return { ...fields, path: fields.path.replace(/\?.*/s, '') }
}
