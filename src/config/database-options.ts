import { chosenNames } from './chosen-names.ts'
import {
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

/** Which database to connect to, and how. */
export const databaseOptions = {
  db_product: {
    type: oneOf('sqlite', 'postgresql', 'mysql'),
    required: true,
    describe: 'Database product to connect to; “mysql” is for MariaDB, too.',
    example: 'sqlite',
  },
  db_name: {
    type: path,
    required: true,
    describe:
      'Name of the database. For sqlite its file, which is made when it is not there; “:memory:” keeps the data only while the gateway runs.',
    example: '/var/lib/gatehouse/data.sqlite',
  },
  db_schema: {
    type: nameList,
    default: 'public',
    describe:
      'Schemas whose tables are served, separated by commas; tables are made in the first. Only for postgresql.',
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
    type: text,
    secret: true,
    otherwise: 'no password is sent',
    describe: 'Password of the user of the database server. Not for sqlite.',
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
      'Whether a connection pooler in transaction mode, such as PgBouncer, is in front of the database server. “auto” finds out when it connects; “none” is also for a pooler in session mode. Only for postgresql.',
    example: 'transaction',
  },
  db_connections: {
    type: wholeNumber(3, 200),
    default: '10',
    describe: 'How many connections to the database server may be open. Not for sqlite.',
    example: '16',
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
    describe: 'How long one statement may take before it is ended in the database.',
    example: '1m',
  },
  sort_order: {
    type: oneOf('native', 'portable'),
    default: 'native',
    describe:
      'How tables that others made are sorted, and compared by “<” and “>”: as the database does by itself, so that its indexes serve, or as tables of entity definitions are on every product, texts by code point and nulls lowest.',
    example: 'portable',
  },
  view_keys: {
    type: viewKeyList,
    otherwise: 'rows of views are told apart by their places in a list',
    describe:
      'Views, and the columns by which no two rows of each are the same: they get a GlobalId, and cursors that stay right. Also for tables without a key.',
    example: 'customer_list:id; sales.totals:year,month',
  },
  graphql_naming: {
    type: oneOf('verbatim', 'camel'),
    default: 'verbatim',
    describe:
      'Names of GraphQL fields: as the columns have them, or with first_name as firstName. Names of tables stay as they are.',
    example: 'camel',
  },
  names: {
    type: chosenNames,
    otherwise: 'names go by the rules, or as they were chosen by command',
    describe:
      'Names in GraphQL that are chosen: under “tables”, “fields”, “references” and “collections” what is named (table, table.column, the columns of a foreign key) and its name. A table of another schema is written schema.table.',
    example: '{"tables": {"tbl_customer": "Customer"}, "references": {"orders.bill_to_id": "billTo"}}',
  },
} as const satisfies OptionTable

/** The configuration of a connected database. */
export type DatabaseConfig = ConfigOf<typeof databaseOptions>
