/** What `/manage/status`, `/manage/statements` and `/manage/configuration` show. */
import * as v from 'valibot'
import { count, described, text, time } from './operation.ts'

const milliseconds = (description: string) => described(v.number(), description)

const databaseEntries = {
  product: text('As the option db_product names it.'),
  version: v.nullable(text('As the database says it; null if it does not respond.', '17.2')),
  reachable: v.boolean(),
  connections: v.object({
    in_use: count('How many connections have work; reads that share one are not counted.'),
    waiting: count('How many callers wait for one.'),
    most: count('How many may be in use at the same time.'),
  }),
}

const durations = v.nullable(
  described(
    v.object({ p50: v.number(), p95: v.number(), p99: v.number() }),
    'Percentiles in milliseconds, estimated from a histogram; null if there were none.',
  ),
)
const countEntries = {
  requests: described(
    v.object({
      '1xx': v.number(),
      '2xx': v.number(),
      '3xx': v.number(),
      '4xx': v.number(),
      '5xx': v.number(),
    }),
    'Requests by status.',
  ),
  request_ms: durations,
  statements: count('Statements that the database ran.'),
  statement_failures: count('Statements that it refused.'),
  statement_ms: durations,
  failures: count("Requests that ended in an error that is not the client's."),
}
const histogram = described(
  v.array(v.number()),
  'How many took up to each of duration_bounds_ms, and longer than the one before; the last one, longer than all.',
)
const sample = v.object({
  rss_bytes: v.number(),
  heap_used_bytes: v.number(),
  event_loop_delay_ms: milliseconds('The longest delay in the step before.'),
  connections_in_use: v.number(),
  connections_waiting: v.number(),
})

/** The response of `GET /manage/status`. */
export const status = v.object({
  version: text('The version of Gatehouse.'),
  node: v.object({
    name: text('The name of the machine.'),
    pid: v.number(),
    runtime: text('The version of Node.js.', 'v24.9.0'),
    started: time('When it began to serve.'),
    uptime_seconds: v.number(),
  }),
  database: v.object(databaseEntries),
  store: v.object({
    separate: described(v.boolean(), 'Whether it is another database than the one of the tables.'),
    ...databaseEntries,
  }),
  counts: v.object({
    tables: count('Tables and views that are served.'),
    entities: count('Entity definitions.'),
    published_apis: count('Published APIs.'),
    roles: v.number(),
    accounts: v.number(),
    routes: v.number(),
  }),
  schema: v.object({
    version: text('As in the header X-Gatehouse-Schema.'),
    read_at: time('When the tables were read.'),
    age_seconds: v.number(),
  }),
  process: v.object({
    rss_bytes: v.number(),
    heap_used_bytes: v.number(),
    heap_total_bytes: v.number(),
    event_loop_delay_ms: v.object({
      p99: milliseconds('Since the last sample.'),
      max: milliseconds('Since the last sample.'),
    }),
  }),
  activity: v.object({
    step_seconds: v.number(),
    duration_bounds_ms: v.array(v.number()),
    total: v.object({ ...countEntries, request_histogram: histogram, statement_histogram: histogram }),
    steps: v.array(
      v.object({ at: time('When the step began.'), ...countEntries, sample: v.nullable(sample) }),
    ),
  }),
})

/** The response of `GET /manage/statements`. */
export const slowStatements = v.object({
  threshold_ms: milliseconds('The option slow_statement.'),
  statements: v.array(
    v.object({
      sql: text('The text with placeholders, without values.'),
      cause: v.nullable(
        text('What ran it; null for the gateway itself.', 'GET /apis/ports', 'GraphQL PortList'),
      ),
      count: count('How often it took long.'),
      total_ms: v.number(),
      median_ms: milliseconds('Of the last 64 times.'),
      max_ms: v.number(),
      rows: count('The most rows that it gave or changed.'),
      last_seen: time('When it last took long.'),
    }),
  ),
})

/** The response of `DELETE /manage/statements`. */
export const clearedStatements = v.object({ removed: count('How many different statements there were.') })

/** The response of `GET /manage/configuration`. */
export const configuration = v.object({
  options: v.array(
    v.object({
      key: text('As in a configuration file.', 'gateway.port'),
      value: v.nullable(text('As written; `(set)` for a secret, null without a value.')),
      source: v.nullable(v.picklist(['flag', 'variable', 'file', 'default'])),
      origin: v.nullable(text('Where exactly it comes from.', 'gatehouse.yaml line 3: gateway.port')),
      description: v.string(),
      takes: text('Completes the sentence “takes …”.'),
      default: v.nullable(v.string()),
      otherwise: v.nullable(text('What happens without a value.')),
      secret: v.boolean(),
    }),
  ),
})
