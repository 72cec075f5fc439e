import { databaseAddress } from './database-address.ts'
import { databaseOptions } from './database-options.ts'
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

/** The options of a gateway. */
export const gatewayOptions = {
  ...databaseOptions,
  db_retry: {
    type: yesOrNo,
    default: 'true',
    describe:
      'Whether a database server that cannot be reached at the start is tried again until it can be; otherwise the start fails. Until then only /healthz says yes.',
    example: 'false',
  },
  store_url: {
    type: databaseAddress,
    secret: true,
    otherwise: 'the records are in tables of their own in the connected database',
    describe:
      'Where the gateway keeps its own records (roles, accounts, tokens …), for a connected database that is only read or belongs to others. Entity definitions are not taken then.',
    example: 'sqlite:/var/lib/gatehouse/store.sqlite',
  },
  notices_url: {
    type: redisAddress,
    secret: true,
    otherwise: 'PostgreSQL tells of changes at once, and other databases are asked every 0.4 s',
    describe:
      'Redis server that tells gateways with the same records of changes, such as a role that lost something. While it is away, they ask their database.',
    example: 'rediss://default:secret@redis.example.org:6379',
  },
  host: {
    type: text,
    default: '127.0.0.1',
    describe: 'Network address to listen on; 0.0.0.0 listens on all of the machine.',
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
    otherwise: 'the client is who is connected',
    describe:
      'Network addresses of load balancers and web fronts before the gateway. X-Forwarded-For of a request says who the client is only where it comes from one of these. Limits on guessing and the audit are about clients.',
    example: '10.0.0.0/8,192.0.2.7',
  },
  target_allow: {
    type: hostList,
    otherwise: 'none of them',
    describe:
      'Hosts, addresses and ranges that routes may lead to although they are link-local or a metadata service of a cloud, which other routes are kept from.',
    example: '169.254.10.0/24,metadata.internal',
  },
  token_ttl: {
    type: duration('1s', '366d'),
    default: '8h',
    describe: 'How long an authentication token lives.',
    example: '30m',
  },
  body_limit: {
    type: bytes('1kb', '256mb'),
    default: '10mb',
    describe:
      'Largest request body that is read. This is for records, entity definitions, GraphQL and /echo; other documents have at most 1 MB, and logons and forms 16 kB.',
    example: '512kb',
  },
  compress_from: {
    type: bytes('1kb', '1gb'),
    default: '16kb',
    describe:
      'From which size on GraphQL answers are compressed for clients that take them so; long lists always are. Other answers are not compressed: they may hold secrets.',
    example: '1gb',
  },
  request_timeout: {
    type: duration('1s', '24h'),
    default: '30s',
    describe:
      'How long a GraphQL operation or the list of a published API may take in all: its statements together, and the wait for a connection. The time that a client takes to read does not count.',
    example: '10s',
  },
  schema_poll: {
    type: duration('0s', '24h'),
    default: '10s',
    describe:
      'How often the catalogue of the database is looked at, so that tables and columns that others made, changed or dropped are served without a restart; 0 never looks. “gatehouse schema reload” has it read at once.',
    example: '1m',
  },
  graphql_max_tokens: {
    type: wholeNumber(100, 1_000_000),
    default: '20000',
    describe: 'How many tokens a GraphQL document may have.',
    example: '50000',
  },
  graphql_max_depth: {
    type: wholeNumber(1, 100),
    default: '12',
    describe:
      'How deep fields may be nested in a GraphQL operation, with fragments laid open. Introspection has a limit of its own.',
    example: '20',
  },
  graphql_max_fields: {
    type: wholeNumber(1, 1_000_000),
    default: '5000',
    describe: 'How many fields a GraphQL operation may select, with fragments laid open.',
    example: '1000',
  },
  graphql_max_aliases: {
    type: wholeNumber(0, 100_000),
    default: '50',
    describe: 'How many fields of a GraphQL operation may go by another name, with fragments laid open.',
    example: '10',
  },
  graphql_max_directives: {
    type: wholeNumber(0, 1000),
    default: '10',
    describe: 'How many directives one place of a GraphQL document may have.',
    example: '5',
  },
  graphql_max_cost: {
    type: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    default: '10000000',
    describe:
      'How many rows a GraphQL operation may ask for, estimated from its page sizes before it runs. A list without a size counts as 100 then, and afterwards as what it has: its answer may not show more rows than this either.',
    example: '1000000',
  },
  graphql_max_rows: {
    type: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    default: '5000000',
    describe:
      'How many rows the answer to a GraphQL operation may show, each counted as often as it is shown. What is held at once is counted before anything is sent.',
    example: '100000',
  },
  graphql_max_answer: {
    type: bytes('1kb', '1024gb'),
    default: '256mb',
    describe:
      'How long the answer to a GraphQL operation may be, before it is compressed. Long answers are sent as they are made: this bounds work, not memory.',
    example: '2gb',
  },
  graphql_max_held_rows: {
    type: wholeNumber(1000, 100_000_000),
    default: '100000',
    describe:
      'How many rows a GraphQL operation may hold in memory at once. A list with more below its rows is read in smaller parts; a single row that has more below it cannot be shown whole.',
    example: '20000',
  },
  list_max_rows: {
    type: wholeNumber(1, 100_000_000),
    default: '100000',
    describe:
      'How many records one answer of a published API may list. A longer list is refused (413): clients ask for it in pages, with “limit”.',
    example: '20000',
  },
  list_max_answer: {
    type: bytes('1kb', '1024gb'),
    default: '1gb',
    describe:
      'How long the list of a published API may be. Long lists are sent as they are read: this bounds work, not memory. One that is known to be longer before anything is sent is refused (413); otherwise the connection is cut.',
    example: '100mb',
  },
  graphiql: {
    type: yesOrNo,
    default: 'true',
    describe:
      'Whether a browser that opens /graphql gets GraphiQL, a page to write queries in. The page holds no data; it asks to log on.',
    example: 'false',
  },
  workers: {
    type: wholeNumber(1, 64),
    default: '1',
    describe:
      'How many processes serve the port, for machines with several cores. Each has connections to the database of its own. Not for sqlite.',
    example: '4',
  },
  log_level: {
    type: oneOf('silent', 'error', 'warn', 'info', 'debug'),
    default: 'info',
    describe: 'How much is logged, as JSON lines on the error output: this level and the more serious ones.',
    example: 'debug',
  },
  admin_password: {
    type: text,
    secret: true,
    otherwise: 'one is made at the first start and shown once',
    describe: 'Password for the account “admin”, which the first start makes. Later starts do not use it.',
    example: 'correct-horse-battery-staple',
  },
  admin_api_key: {
    type: text,
    secret: true,
    otherwise: 'one is made at the first start and shown once',
    describe: 'API key for the account “admin”, which the first start makes. Later starts do not use it.',
    example: 'the output of “openssl rand -hex 32”',
  },
  keep_alive: {
    type: duration('1s', '1h'),
    default: '65s',
    describe:
      'How long a connection without a request is kept open. Longer than the load balancer in front keeps it, so that no request meets a connection that is being closed.',
    example: '2m',
  },
  max_connections: {
    type: wholeNumber(10, 1_000_000),
    otherwise: 'a third of the files that the process may open (“ulimit -n”), and at most 10000',
    describe:
      'How many connections of clients a process serves at the same time. Beyond it the connection that was idle for longest is closed for a new one; where none is idle, only /healthz and /readyz are answered.',
    example: '2000',
  },
  drain_delay: {
    type: duration('0s', '10m'),
    otherwise: '5s where nodes share the store (PostgreSQL, MariaDB or MySQL), otherwise 0s',
    describe:
      'How long requests are still taken after SIGTERM, while /readyz says no, so that load balancers notice. SIGINT, as from a terminal, does not wait.',
    example: '15s',
  },
  shutdown_timeout: {
    type: duration('1s', '1h'),
    default: '10s',
    describe:
      'How long requests that are under way may take to finish when the gateway is stopped, after the drain_delay.',
    example: '30s',
  },
} as const satisfies OptionTable

/** The configuration of a gateway. */
export type GatewayConfig = ConfigOf<typeof gatewayOptions>

/** The options of a gateway, as they lie under `gateway:` in a configuration file. */
export const gatewayGroup = {
  heading: 'Gateway',
  part: 'gateway',
  options: gatewayOptions,
} as const satisfies OptionGroup
