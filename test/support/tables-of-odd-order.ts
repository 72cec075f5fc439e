/** Tables of others whose values are not what their columns promise, or sort in ways of their own. Each has a column `n`, another number in each row. */
import type { DatabaseOptions } from '../../src/database/open-database.ts'

export interface OddTable {
  readonly name: string
  /** Whether rows have GlobalIds. */
  readonly hasKey: boolean
  /** Fields to sort by, one after the other. */
  readonly orders: readonly (readonly string[])[]
  readonly rows: number
}

export interface OddDatabase {
  readonly statements: readonly string[]
  readonly tables: readonly OddTable[]
}

const table = (name: string, rows: number, orders: readonly (readonly string[])[], hasKey = true) => ({
  name,
  rows,
  orders,
  hasKey,
})

const keyless = 'things'

/** Texts that collations take for equal, and numbers with gaps, as every product has them. */
const common = (text: string, serial: string) => [
  `create table mixed (n ${serial}, a integer, b ${text}, c integer not null)`,
  'create index mixed_a on mixed (a)',
  // Nothing tells their rows apart but what is in them.
  `create table ${keyless} (n integer, v ${text})`,
  `insert into ${keyless} values (1, 'a'), (2, 'a'), (3, null), (4, null), (5, 'A')`,
  'create view shown as select n, a, b from mixed where n <= 9',
  `insert into mixed (n, a, b, c) values ${Array.from({ length: 24 }, (_, index) => {
    const a = index % 4 === 0 ? 'null' : String(index % 3)
    const b = index % 5 === 0 ? 'null' : `'${['x', 'X', 'é', 'e', 'x '][index % 5]}'`
    return `(${index + 1}, ${a}, ${b}, ${index % 2})`
  }).join(', ')}`,
]

const commonTables = [
  table('mixed', 24, [[], ['a'], ['b'], ['a', 'b'], ['c', 'a'], ['b', 'c', 'a']]),
  table(keyless, 5, [[], ['v'], ['n'], ['v', 'n']], false),
  table('shown', 9, [[], ['a'], ['b', 'a']], false),
]

const sqlite: OddDatabase = {
  statements: [
    ...common('text collate nocase', 'integer primary key'),
    'create table truths (n integer primary key, ok boolean, u uuid, at datetime, r real, i integer, d decimal)',
    "insert into truths values (1, 1, x'000102', 1700000000, 1.5, 5, 1.5), (2, 'false', 'ab', '2024-01-01', 9e999, 'hello', 'x'), (3, 'true', x'ff', '2024-01-01T00:00:00Z', -9e999, 9223372036854775807, 9007199254740993), (4, 0, null, 20240229, 0.1, null, null), (5, null, 7, '', null, x'00', x'01')",
    'create table guids (guid varchar primary key, n integer)',
    "insert into guids values ('a', 1), (null, 2), (null, 3), ('b', 4), (x'00ff', 5)",
    'create table pairs (x integer, y text, n integer, primary key (x, y))',
    "insert into pairs values (1, 'a', 1), (1, null, 2), (null, 'a', 3), (null, null, 4), (null, null, 5), ('t', 'a', 6)",
    'create table octets (b bytea primary key, n integer)',
    "insert into octets values (x'ff00fe', 1), (x'ff00ff', 2), ('ab', 3), (x'6162', 4), (5, 5), ('5x', 6)",
    'create table switches (ok boolean primary key, n integer)',
    "insert into switches values (1, 1), ('false', 2), ('true', 3), (0, 4), (2, 5)",
    'create table moments (at datetime primary key, n integer)',
    "insert into moments values (1700000000, 1), ('2024-01-01', 2), ('2024-01-01T00:00:00', 3), ('2024-01-01 00:00:00', 4), (x'00', 5)",
    'create table loose (n integer, v)',
    "insert into loose values (1, 1), (2, '1'), (3, 1.0), (4, x'31'), (5, null), (6, null)",
    'create table folded (word text collate nocase primary key, n integer) without rowid',
    "insert into folded values ('b', 1), ('A', 2), ('c', 3), ('a ', 4)",
  ],
  tables: [
    ...commonTables,
    table('truths', 5, [['ok'], ['u'], ['at'], ['r'], ['i'], ['d'], ['at', 'ok']]),
    table('guids', 5, [[], ['guid'], ['n']]),
    table('pairs', 6, [[], ['y'], ['x']]),
    table('octets', 6, [[], ['b']]),
    table('switches', 5, [[], ['ok']]),
    table('moments', 5, [[], ['at']]),
    table('loose', 6, [[], ['v']], false),
    table('folded', 4, [[], ['word']]),
  ],
}

const postgresql: OddDatabase = {
  statements: [
    "create collation folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
    ...common('text collate folding', 'integer primary key'),
    'create table switches (id boolean primary key, n integer)',
    'insert into switches values (true, 1), (false, 2)',
    'create table moments (at timestamptz primary key, n integer, d date, f float8, r real, b bytea, w text collate "en-x-icu", p char(3), t timetz, e numeric)',
    "insert into moments values ('infinity', 1, '-infinity', 'NaN', 0.1, '\\x00ff', 'a', 'a', '10:00+00', 'NaN'), ('-infinity', 2, 'infinity', 'Infinity', 3.3, '\\x', 'A', 'a', '12:00+02', 1.10), ('0044-03-15 12:00 BC', 3, '0044-03-15 BC', '-Infinity', 0.3, null, 'B', null, '10:00+01', 1.2), ('2024-01-01 12:00:00.5+02', 4, null, null, null, '\\x01', null, 'b', null, null)",
  ],
  tables: [
    ...commonTables,
    table('switches', 2, [[], ['id']]),
    table('moments', 4, [[], ['d'], ['f'], ['r'], ['b'], ['w'], ['p'], ['t'], ['e'], ['e', 'd']]),
  ],
}

const mysql: OddDatabase = {
  statements: [
    ...common('varchar(20) collate utf8mb4_general_ci', 'int primary key'),
    "set sql_mode = ''",
    "create table posts (id bigint unsigned primary key, n int, d datetime not null default '0000-00-00 00:00:00', e date, f float, w varchar(10) character set latin1, k enum('b', 'a'), t timestamp(3) null)",
    "insert into posts values (18446744073709551615, 1, '0000-00-00 00:00:00', '0000-00-00', 0.1, 'a', 'a', null), (2, 2, '2024-01-01 10:00:00', '2024-00-10', 3.3, 'A', 'b', '2024-01-01 00:00:00.120'), (3, 3, '0000-00-00 00:00:00', null, 19.99, 'ä', null, '2024-01-01 00:00:00.000'), (9007199254740993, 4, '2024-01-01 10:00:01', '2024-02-29', null, null, 'a', null), (9007199254740992, 5, '0000-00-00 00:00:00', '0000-00-00', 0.1, 'a ', 'b', null)",
    'create table days (at datetime primary key, n int)',
    "insert into days values ('0000-00-00 00:00:00', 1), ('2024-01-01 10:00:00', 2), ('2024-00-00 00:00:00', 3)",
    'create table rates (f float primary key, n int)',
    'insert into rates values (0.1, 1), (3.3, 2), (19.99, 3)',
    'create table guids (id uuid primary key, n int, u uuid)',
    "insert into guids values ('ffffffff-0000-11e1-8000-000000000000', 1, null), ('00000001-0000-11f1-8000-000000000000', 2, '00000001-0000-11f1-8000-000000000000'), ('018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f', 3, '00000001-0000-11f1-8000-000000000000'), ('018f4e3a-7c1b-4d2e-9a51-3f6b2c4d5e6f', 4, 'ffffffff-0000-11e1-8000-000000000000')",
    'set sql_mode = default',
  ],
  tables: [
    ...commonTables,
    table('posts', 5, [[], ['d'], ['e'], ['f'], ['w'], ['k'], ['t'], ['d', 'f']]),
    table('days', 3, [[], ['at']]),
    table('rates', 3, [[], ['f']]),
    table('guids', 4, [[], ['id'], ['u'], ['u', 'id']]),
  ],
}

/** The tables of one product. */
export const oddDatabases: Readonly<Record<DatabaseOptions['product'], OddDatabase>> = {
  sqlite,
  postgresql,
  mysql,
}
