import { databaseAddress } from './database-address.ts'
import { databaseOptions } from './database-options.ts'
import { issuerEntries } from './issuer-options.ts'
import {
  bytes,
  duration,
  hostList,
  httpAddress,
  networkList,
  oneOf,
  port,
  redisAddress,
  text,
  wholeNumber,
  yesOrNo,
} from './option-types.ts'
import type { ConfigOf, OptionGroup, OptionTable } from './options.ts'
import { textList } from './part-types.ts'
import { upstreamSecrets } from './upstream-secrets.ts'
import { webOrigins } from './web-origins.ts'

/** The options of a gateway. */
export const gatewayOptions = {
  ...databaseOptions,
  db_retry: {
    type: yesOrNo,
    default: 'true',
    describe:
      'Whether to retry until the database server can be reached at the start; otherwise the start fails. Meanwhile only /healthz says yes.',
    example: 'false',
  },
  store_url: {
    type: databaseAddress,
    secret: true,
    otherwise: 'separate tables in the connected database',
    describe:
      'Where the gateway keeps its own records (roles, accounts, tokens …), for a connected database that is read-only or belongs to others. Entity definitions are then refused, except for adopted tables.',
    example: 'sqlite:/var/lib/gatehouse/store.sqlite',
  },
  notices_url: {
    type: redisAddress,
    secret: true,
    otherwise: 'PostgreSQL passes notices itself, and other databases are polled every 0.4 s',
    describe:
      'Redis server that passes notices of changes, such as of a role, between gateways of the same store. While it is unavailable, they poll their store.',
    example: 'rediss://default:secret@redis.example.org:6379',
  },
  host: {
    type: text,
    default: '127.0.0.1',
    describe: 'Network address to listen on; 0.0.0.0 listens on all addresses of the machine.',
    example: '0.0.0.0',
  },
  port: {
    type: port,
    default: '9000',
    describe: 'Port to listen on.',
    example: '9000',
  },
  base_url: {
    type: httpAddress,
    otherwise: 'the address it listens on',
    describe: 'Address under which clients reach the gateway; used for the Location header and for links.',
    example: 'https://api.example.org',
  },
  trusted_proxies: {
    type: networkList,
    otherwise: 'the client address is that of the connection',
    describe:
      'Network addresses of load balancers and web fronts in front of the gateway. X-Forwarded-For is read only in requests from these. Limits on guessing and the audit use the client address.',
    example: '10.0.0.0/8,192.0.2.7',
  },
  target_allow: {
    type: hostList,
    otherwise: 'none of them',
    describe:
      'Hosts, addresses and ranges that routes may lead to although they are link-local or a cloud’s metadata service. All others of these are blocked.',
    example: '169.254.10.0/24,metadata.internal',
  },
  cors_origins: {
    type: webOrigins,
    otherwise: 'none of them',
    describe:
      'Origins of pages, besides its own, that may call the gateway in a browser (CORS), with a token in a header; cookies are never accepted. Write each as browsers do: scheme, host and port, without a path.',
    example: 'https://app.example.org,http://localhost:5173',
  },
  upstream_secrets: {
    type: upstreamSecrets,
    otherwise: 'routes send no secrets',
    describe:
      'Secrets that routes may add to requests of their upstream, by name: “value” (or “value_file”), and “targets”, the servers that may get it. A route names one in headers.set.',
    example: '{"billing": {"value_file": "/run/secrets/billing", "targets": "https://billing.internal"}}',
  },
  token_ttl: {
    type: duration('1s', '366d'),
    default: '8h',
    describe: 'How long an authentication token lasts.',
    example: '30m',
  },
  token_issuers: {
    type: issuerEntries,
    otherwise: 'only tokens of the gateway itself are accepted',
    describe:
      'Other servers, such as OAuth servers, whose tokens (signed JSON Web Tokens, JWT) are accepted as bearer tokens: an entry, or a list of entries.',
    example:
      '[{"name": "staff", "issuer": "https://login.example.org/realms/staff", "audience": "https://api.example.org", "role": "reader"}]',
  },
  second_factor: {
    type: oneOf('optional', 'required'),
    default: 'optional',
    describe:
      'Whether accounts need a second factor where no API key is asked for, as in the form of the web front. With “required”, a person who has none sets it up at the next login.',
    example: 'required',
  },
  passkey_origins: {
    type: webOrigins,
    otherwise: 'passkeys are turned off',
    describe:
      'Origins of the pages that may use passkeys: that of the web front with its login form and its console, and of the gateway’s own pages. Write each as browsers do: scheme, host and port, without a path.',
    example: 'https://app.example.org,https://api.example.org',
  },
  passkey_domain: {
    type: text,
    otherwise: 'the host of the passkey_origins',
    describe:
      'Domain that passkeys belong to: the host of every origin, or a domain above all of them. With another one, all passkeys have to be registered again.',
    example: 'example.org',
  },
  body_limit: {
    type: bytes('1kb', '256mb'),
    default: '10mb',
    describe:
      'Largest request body for records, entity definitions, GraphQL and /echo. Other documents may have 1 MB, logons and forms 16 kB.',
    example: '512kb',
  },
  compress_from: {
    type: bytes('1kb', '1gb'),
    default: '16kb',
    describe:
      'Size from which GraphQL responses are compressed for clients that accept it; long lists always are. Other responses are not compressed: they may hold secrets.',
    example: '1gb',
  },
  request_timeout: {
    type: duration('1s', '24h'),
    default: '30s',
    describe:
      'How long a GraphQL operation or the list of a published API may take in all: its statements and the wait for a connection together, but not the time in which the client reads.',
    example: '10s',
  },
  schema_poll: {
    type: duration('0s', '24h'),
    default: '10s',
    describe:
      'How often the database’s catalogue is polled, so that changes of tables and columns by other programs are served without a restart; 0 is never. “gatehouse schema reload” reads it at once.',
    example: '1m',
  },
  slow_statement: {
    type: duration('0ms', '24h'),
    default: '500ms',
    describe:
      'From which duration on a statement is listed at /manage/statements, without its values; 0 lists every one.',
    example: '100ms',
  },
  graphql_max_tokens: {
    type: wholeNumber(100, 1_000_000),
    default: '20000',
    describe: 'How many tokens a GraphQL document may have.',
    example: '50000',
  },
  graphql_max_depth: {
    type: wholeNumber(1, 100),
    default: '30',
    describe:
      'How deep fields may be nested in a GraphQL operation, with fragments expanded. Introspection has its own limit.',
    example: '12',
  },
  graphql_max_fields: {
    type: wholeNumber(1, 1_000_000),
    default: '5000',
    describe: 'How many fields a GraphQL operation may select, with fragments expanded.',
    example: '1000',
  },
  graphql_max_aliases: {
    type: wholeNumber(0, 100_000),
    default: '1000',
    describe: 'How many fields of a GraphQL operation may have an alias, with fragments expanded.',
    example: '50',
  },
  graphql_max_batch: {
    type: wholeNumber(1, 1000),
    default: '10',
    describe:
      'How many requests one list of GraphQL requests may have. Each has the other limits for itself.',
    example: '1',
  },
  graphql_max_directives: {
    type: wholeNumber(0, 1000),
    default: '10',
    describe: 'How many directives a GraphQL document may have in one place.',
    example: '5',
  },
  graphql_max_cost: {
    type: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    default: '200000000',
    describe:
      'How many rows a GraphQL operation may ask for, estimated from its page sizes before it runs. A list without a size counts as 100 in the estimate; afterwards its actual rows count, and the response may not show more than this either.',
    example: '1000000',
  },
  graphql_max_rows: {
    type: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    default: '5000000',
    describe:
      'How many rows the response to a GraphQL operation may show, each counted as often as it is shown. Rows that are held in memory are counted before anything is sent.',
    example: '100000',
  },
  graphql_max_answer: {
    type: bytes('1kb', '1024gb'),
    default: '256mb',
    describe:
      'Size of the response to a GraphQL operation, before compression. Long responses are streamed: this limits work, not memory.',
    example: '2gb',
  },
  graphql_max_held_rows: {
    type: wholeNumber(1000, 100_000_000),
    default: '100000',
    describe:
      'How many rows a GraphQL operation, or a published API with “fields”, may hold in memory at once. A list with more rows below it is read in smaller pieces; a single row with more below it cannot be shown whole.',
    example: '20000',
  },
  list_max_rows: {
    type: wholeNumber(1, 100_000_000),
    default: '100000',
    describe:
      'How many records one response of a published API may have, with the related ones that “fields” asks for. A longer list is refused (413): clients page through it with “limit”.',
    example: '20000',
  },
  list_max_answer: {
    type: bytes('1kb', '1024gb'),
    default: '1gb',
    describe:
      'Size of the list of a published API. Long lists are streamed: this limits work, not memory. A list that is found to be longer before anything is sent is refused (413); otherwise the connection is closed.',
    example: '100mb',
  },
  graphql_introspection: {
    type: yesOrNo,
    default: 'true',
    describe:
      'Whether everyone who may query GraphQL may read its schema: by introspection, in suggestions of errors, and as text at GET /graphql. Otherwise only roles with GET on /manage/schema may.',
    example: 'false',
  },
  persisted: {
    type: textList('a file or a folder, or a list of them', (path) => path !== ''),
    otherwise: 'there are none',
    describe:
      'Stored GraphQL documents, which requests name by id or SHA-256 hash: files and folders with documents (.graphql), with documents by id as Relay writes them, or with manifests of Apollo (.json). They are read at the start.',
    example: '["queries", "persisted-query-manifest.json"]',
  },
  graphql_persisted_only: {
    type: yesOrNo,
    default: 'false',
    describe:
      'Whether GraphQL runs stored documents only. Roles with GET on /manage/schema may run any, as in GraphiQL.',
    example: 'true',
  },
  graphiql: {
    type: yesOrNo,
    default: 'true',
    describe:
      'Whether a browser that opens /graphql gets GraphiQL, a page to write queries in. The page holds no data; it asks the user to log on.',
    example: 'false',
  },
  page_logon: {
    type: yesOrNo,
    default: 'true',
    describe:
      'Whether people log on to the pages /graphql and /docs by username and password only. If not, the pages ask for the API key as well.',
    example: 'false',
  },
  workers: {
    type: wholeNumber(1, 64),
    default: '1',
    describe:
      'How many processes serve the port, for machines with several cores. Each has its own database connections. Not for sqlite.',
    example: '4',
  },
  log_level: {
    type: oneOf('silent', 'error', 'warn', 'info', 'debug'),
    default: 'info',
    describe: 'How much is logged, as JSON lines on standard error: this level and more serious ones.',
    example: 'debug',
  },
  admin_password: {
    type: text,
    secret: true,
    otherwise: 'generated at the first start and shown once',
    describe: 'Password for the account “admin”, which the first start creates. Later starts ignore it.',
    example: 'correct-horse-battery-staple',
  },
  admin_api_key: {
    type: text,
    secret: true,
    otherwise: 'generated at the first start and shown once',
    describe: 'API key for the account “admin”, which the first start creates. Later starts ignore it.',
    example: 'the output of “openssl rand -hex 32”',
  },
  keep_alive: {
    type: duration('1s', '1h'),
    default: '65s',
    describe:
      'How long an idle connection is kept open. Set it longer than in the load balancer in front, so that no request arrives on a connection that is being closed.',
    example: '2m',
  },
  max_connections: {
    type: wholeNumber(10, 1_000_000),
    otherwise: 'a third of the files that the process may open (“ulimit -n”), and at most 10000',
    describe:
      'How many client connections a process serves at the same time. Beyond it, the connection that has been idle longest is closed for a new one; if none is idle, new ones get only /healthz and /readyz.',
    example: '2000',
  },
  drain_delay: {
    type: duration('0s', '10m'),
    otherwise: '5s if nodes share the store (PostgreSQL, MariaDB or MySQL), otherwise 0s',
    describe:
      'How long requests are still accepted after SIGTERM, while /readyz says no, so that load balancers notice. SIGINT, as from a terminal, does not wait.',
    example: '15s',
  },
  shutdown_timeout: {
    type: duration('1s', '1h'),
    default: '10s',
    describe: 'How long running requests may take to finish when the gateway stops, after the drain_delay.',
    example: '30s',
  },
} as const satisfies OptionTable

/** The configuration of a gateway. */
export type GatewayConfig = ConfigOf<typeof gatewayOptions>

/** The options of a gateway, under `gateway:` in a configuration file. */
export const gatewayGroup = {
  heading: 'Gateway',
  part: 'gateway',
  options: gatewayOptions,
} as const satisfies OptionGroup
