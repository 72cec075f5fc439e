import { chosenNames } from './chosen-names.ts'
import {
  anyText,
  duration,
  nameList,
  oneOf,
  path,
  port,
  text,
  viewKeyList,
  wholeNumber,
  yesOrNo,
} from './option-types.ts'
import type { ConfigOf, OptionTable } from './options.ts'

/** The products that are servers, with their usual ports. */
export const serverPorts = { postgresql: 5432, mysql: 3306 } as const

export type ServerProduct = keyof typeof serverPorts

/** Which database to connect to, and how. */
export const databaseOptions = {
  db_product: {
    type: oneOf('sqlite', 'postgresql', 'mysql'),
    required: true,
    describe: 'Database product to connect to; “mysql” is also for MariaDB.',
    example: 'sqlite',
  },
  db_name: {
    type: path,
    otherwise: '“gatehouse”, for sqlite “gatehouse.db” in the current folder; created if it does not exist',
    describe:
      'Name of a database that exists. For sqlite its file; “:memory:” keeps the data only while the gateway runs.',
    example: '/var/lib/gatehouse/data.sqlite',
  },
  db_schema: {
    type: nameList,
    default: 'public',
    describe:
      'Schemas whose tables are served, separated by commas; new tables are created in the first. Only for postgresql.',
    example: 'sales,public',
  },
  db_host: {
    type: text,
    default: '127.0.0.1',
    describe: 'Address of the database server, or the path of its socket. Not for sqlite.',
    example: 'db.example.org',
  },
  db_port: {
    type: port,
    otherwise: 'the usual port of the product',
    describe: 'Port of the database server. Not for sqlite.',
    example: '3306',
  },
  db_user: {
    type: text,
    default: 'gatehouse',
    describe: 'User of the database server. Not for sqlite.',
    example: 'gatehouse',
  },
  db_pass: {
    type: anyText,
    secret: true,
    otherwise: 'no password is sent',
    describe: 'Password of the user of the database server; may be empty. Not for sqlite.',
    example: 'correct-horse-battery-staple',
  },
  db_tls: {
    type: yesOrNo,
    default: 'false',
    describe: 'Whether the connection to the database server is encrypted and its certificate checked.',
    example: 'true',
  },
  db_pooler: {
    type: oneOf('auto', 'none', 'transaction'),
    default: 'auto',
    describe:
      'Whether a connection pooler in transaction mode, such as PgBouncer, is in front of the database server. “auto” detects it on connecting; “none” is also for a pooler in session mode. Only for postgresql.',
    example: 'transaction',
  },
  db_connections: {
    type: wholeNumber(3, 200),
    default: '16',
    describe: 'How many connections to the database server may be open. Not for sqlite.',
    example: '24',
  },
  read_connections: {
    type: wholeNumber(1, 16),
    default: '4',
    describe: 'How many callers may read from a sqlite database at the same time.',
    example: '8',
  },
  db_wait: {
    type: duration('1s', '1m'),
    default: '5s',
    describe: 'How long a request waits for a connection to the database when all are in use.',
    example: '2s',
  },
  statement_timeout: {
    type: duration('1s', '1h'),
    default: '10s',
    describe: 'How long one statement may take before it is cancelled in the database.',
    example: '1m',
  },
  db_fast_reads: {
    type: yesOrNo,
    default: 'true',
    describe:
      'Whether reads share connections, and rows pass through as the bytes that the database sent, and a write is sent to PostgreSQL together with its commit where it can be, with others that come at the same time in one transaction. With “false” each read has its own connection and its rows are read by the plain driver: slower, to find out where a fault comes from.',
    example: 'false',
  },
  sort_order: {
    type: oneOf('native', 'portable'),
    default: 'native',
    describe:
      'How tables of other programs are sorted, and compared by “<” and “>”: “native” as the database does, so that its indexes can be used, or “portable” like tables of entity definitions on every product, texts by code point and nulls lowest.',
    example: 'portable',
  },
  view_keys: {
    type: viewKeyList,
    otherwise: 'rows of views are identified by their position in a list',
    describe:
      'Views with the columns that identify their rows: these views get a GlobalId, and cursors that stay valid. Also for tables without a key.',
    example: 'customer_list:id; sales.totals:year,month',
  },
  graphql_naming: {
    type: oneOf('verbatim', 'camel'),
    default: 'verbatim',
    describe:
      'Names of GraphQL fields: those of the columns, or in camel case (first_name as firstName). Names of tables stay as they are.',
    example: 'camel',
  },
  graphql_profile: {
    type: oneOf('default', 'seed'),
    default: 'default',
    describe:
      'What the GraphQL schema has: everything, or with “seed” only what the system had that Gatehouse replaces. Names and answers are the same.',
    example: 'seed',
  },
  names: {
    type: chosenNames,
    otherwise: 'default names, or those that were chosen by command',
    describe:
      'Chosen names in GraphQL: under “tables”, “fields”, “references” and “collections” what is named (table, table.column, the columns of a foreign key) and its name. A table of another schema is written schema.table.',
    example: '{"tables": {"tbl_customer": "Customer"}, "references": {"orders.bill_to_id": "billTo"}}',
  },
} as const satisfies OptionTable

/** The configuration of a connected database. */
export type DatabaseConfig = ConfigOf<typeof databaseOptions>

/** The name of the database of a configuration, for sqlite its file: the given one, or else the default. */
export function databaseNameOf({
  db_product: product,
  db_name: name,
}: Pick<DatabaseConfig, 'db_product' | 'db_name'>): string {
  return name ?? (product === 'sqlite' ? 'gatehouse.db' : 'gatehouse')
}
