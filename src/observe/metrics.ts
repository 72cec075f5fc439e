/**
 * Counts and times what happens, for Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/.
 * All names and labels of metrics are here. Every label has few values, whatever clients send.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { DurationHistogram } from './duration-histogram.ts'
import type { Event, Observer } from './events.ts'

export interface Metrics {
  readonly observe: Observer
  /** The current values in the text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** In seconds: from a cache hit to longer than anyone waits. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

type Readers = { readonly [Kind in Event['kind']]?: (event: Extract<Event, { kind: Kind }>) => void }

/** Gauges of `prom-client` with the name of a counter, which `promtool` refuses; the same without `_total` have a label `type`. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** New metrics, with those of the process. */
export function createMetrics(): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  for (const name of misnamed) register.removeSingleMetric(name)
  const readers: Readers = {
    ...requestReaders(register),
    ...accessReaders(register),
    ...schemaReaders(register),
    ...fileReaders(register),
  }
  return {
    observe: (event) => (readers[event.kind] as ((event: Event) => void) | undefined)?.(event),
    text: () => register.metrics(),
    contentType: register.contentType,
  }
}

/** Requests, the statements that they run, and the targets of upstream APIs. */
function requestReaders(register: Registry): Readers {
  const registers = [register]
  const requests = new DurationHistogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Requests and how long they took. "route" is empty where nothing was found.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    register,
  })
  const failures = new Counter({
    name: 'gatehouse_http_request_failures_total',
    help: "Requests that ended in an error that is not the client's.",
    registers,
  })
  const statements = new DurationHistogram({
    name: 'gatehouse_database_statement_duration_seconds',
    help: 'Statements that the database ran, and how long they took.',
    labelNames: [],
    buckets,
    register,
  })
  const statementFailures = new Counter({
    name: 'gatehouse_database_statement_failures_total',
    help: 'Statements that the database refused.',
    registers,
  })
  const targets = new Gauge({
    name: 'gatehouse_upstream_target_up',
    help: '1 if the target of an upstream API is healthy, 0 if not.',
    labelNames: ['target'],
    registers,
  })
  return {
    RequestHandled: ({ method, route = '', status, milliseconds }) =>
      requests.observe({ method, route, status }, milliseconds / 1000),
    RequestFailed: () => failures.inc(),
    StatementRun: ({ milliseconds }) => statements.observe({}, milliseconds / 1000),
    StatementFailed: () => statementFailures.inc(),
    TargetJudged: ({ target, judgement }) => targets.set({ target }, judgement === 'up' ? 1 : 0),
  }
}

/** Logons at the gateway, logins at the web front, and changes of records. */
function accessReaders(register: Registry): Readers {
  const registers = [register]
  const logons = new Counter({
    name: 'gatehouse_logons_total',
    help: 'Logons with an API key and a password, or by a service.',
    labelNames: ['outcome'],
    registers,
  })
  const logins = new Counter({
    name: 'gatehouse_logins_total',
    help: 'Completed logins at the web front.',
    labelNames: ['provider', 'outcome'],
    registers,
  })
  const changes = new Counter({
    name: 'gatehouse_record_changes_total',
    help: 'Changes of roles, accounts, API keys, routes, tokens and entities.',
    labelNames: ['record', 'change'],
    registers,
  })
  return {
    LogonSucceeded: () => logons.inc({ outcome: 'succeeded' }),
    LogonRefused: () => logons.inc({ outcome: 'refused' }),
    LoginSucceeded: ({ provider }) => logins.inc({ provider, outcome: 'succeeded' }),
    LoginFailed: ({ provider }) => logins.inc({ provider, outcome: 'failed' }),
    RecordChanged: ({ record, change }) => changes.inc({ record, change }),
  }
}

function schemaReaders(register: Registry): Readers {
  const registers = [register]
  const tables = new Gauge({
    name: 'gatehouse_schema_tables',
    help: 'Tables and views that are served.',
    registers,
  })
  const reloads = new Counter({
    name: 'gatehouse_schema_reloads_total',
    help: 'Reloads of the schema.',
    labelNames: ['outcome'],
    registers,
  })
  return {
    SchemaReloaded: (event) => {
      tables.set(event.tables)
      reloads.inc({ outcome: 'succeeded' })
    },
    SchemaReloadFailed: () => reloads.inc({ outcome: 'failed' }),
  }
}

/** Files from templates, and the headless browser. */
function fileReaders(register: Registry): Readers {
  const registers = [register]
  const files = new DurationHistogram({
    name: 'gatehouse_file_duration_seconds',
    help: 'Files that were made from templates, and how long they took.',
    labelNames: ['template', 'format'],
    buckets,
    register,
  })
  const fileWaits = new DurationHistogram({
    name: 'gatehouse_file_wait_seconds',
    help: 'How long files waited for their turn at the headless browser.',
    labelNames: [],
    buckets,
    register,
  })
  const fileFailures = new Counter({
    name: 'gatehouse_file_failures_total',
    help: 'Files from templates that were not made.',
    labelNames: ['code'],
    registers,
  })
  const browserStarts = new Counter({
    name: 'gatehouse_renderer_starts_total',
    help: 'Starts of the headless browser.',
    registers,
  })
  return {
    FileMade: ({ template, format, milliseconds, waitedMilliseconds }) => {
      files.observe({ template, format }, milliseconds / 1000)
      fileWaits.observe({}, waitedMilliseconds / 1000)
    },
    FileFailed: ({ code }) => fileFailures.inc({ code }),
    RendererStarted: () => browserStarts.inc(),
  }
}
