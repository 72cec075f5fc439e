/** By product: columns as other programs make them, with values that are odd for their type, as SQL literals. */
import type { Random } from './random.ts'

export interface OddColumn {
  /** The type as the product's SQL has it. */
  readonly type: string
  /** Values of their own right: each is in every run. */
  readonly values: readonly string[]
  /** Present where the column does not become a field of an entity, because of its values. */
  readonly unfit?: true
  /** Further ones. */
  readonly random: (random: Random) => string
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const pad = (number: number, length: number) => String(number).padStart(length, '0')

const randomText = (random: Random): string =>
  Array.from({ length: random.below(12) }, () =>
    random.pick(['a', 'B', 'é', 'ß', ' ', '%', '_', "'", '"', '0', '1', '.', '-', 'T', 'Z', ':', '😀', '\n']),
  ).join('')
const text = (random: Random) => quoted(randomText(random))
const hex = (random: Random, most = 20) =>
  Array.from({ length: random.below(most) }, () => pad(random.below(256), 3))
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('')
const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.below(10))
    .join('')
    .replace(/^0+(?=\d)/, '')
const sign = (random: Random) => random.pick(['', '-'])
const decimal = (whole: number, fraction: number) => (random: Random) =>
  `${sign(random)}${digits(random, 1 + random.below(whole))}${fraction === 0 ? '' : `.${digits(random, 1 + random.below(fraction)).padStart(1, '0')}`}`
const double = (random: Random) =>
  `${sign(random)}${1 + random.below(9)}.${digits(random, 1 + random.below(16))}e${random.below(600) - 300}`
const integer = (bits: number) => (random: Random) =>
  String(BigInt.asIntN(bits, BigInt(`0x${hex(random, 9) || '0'}`)))
const day = (random: Random, mostYears = 9998) =>
  `${pad(1 + random.below(mostYears), 4)}-${pad(1 + random.below(12), 2)}-${pad(1 + random.below(28), 2)}`
const clock = (random: Random) =>
  `${pad(random.below(24), 2)}:${pad(random.below(60), 2)}:${pad(random.below(60), 2)}`
const fraction = (random: Random) => random.pick(['', '.1', '.120', '.123456', '.000001', '.500000'])
const moment = (random: Random, mostYears?: number) =>
  `${day(random, mostYears)} ${clock(random)}${fraction(random)}`
/** Years before 1 go back to 4713 only. */
const anyEra = (of: (random: Random, mostYears?: number) => string) => (random: Random) =>
  random.below(3) === 0 ? `'${of(random, 4000)} BC'` : `'${of(random)}'`

const texts = [
  "''",
  "' '",
  "'a '",
  "'A'",
  "'a'",
  "'á'",
  "'data:;base64,AAAA'",
  "'1'",
  "'1.0'",
  "'Infinity'",
  "'null'",
  "'😀'",
]

/** What other programs write as dates and times into texts. */
const looseMoments = [
  "'2021-06-30 12:00:00'",
  "'2021-06-30 12:00:00.000000'",
  "'2021-06-30T12:00:00Z'",
  "'2021-06-30 12:00:00Z'",
  "'2021-06-30T14:00:00+02:00'",
  "'2021-06-29 22:00:00-14:00'",
  "'2021-06-30'",
  "'2021-06-30 00:00'",
  "'2021-06-30 12:00:00.120'",
  "'2021-06-30T12:00:00,12'",
  "'2024-02-30 12:00:00'",
  "'2024-02-30T12:00'",
  "'2021-06-30 12:00:00.1234567'",
  "'0001-01-01 00:00:00'",
  "'0000-00-00 00:00:00'",
  "'9999-12-31 23:59:59.999999'",
  "'0044-03-15 BC'",
  "'10000-01-01 00:00:00'",
  "'30.6.2021'",
  "'soon'",
  "''",
]
const randomMoment = (random: Random) =>
  quoted(
    random.pick([
      moment,
      (r: Random) => moment(r).replace(' ', 'T'),
      (r: Random) => `${day(r)}T${clock(r)}+0${random.below(9)}:30`,
      (r: Random) => `${moment(r)}Z`,
      day,
    ])(random),
  )

/** SQLite keeps any of these in any column. */
const anything = [
  '1',
  '0',
  '-1',
  "'1'",
  "'1.0'",
  '1.0',
  '1.5',
  "'hello'",
  "''",
  "' '",
  "'true'",
  "'false'",
  "'Infinity'",
  "'NaN'",
  '9e999',
  '-9e999',
  '9007199254740993',
  '-9223372036854775808',
  '9223372036854775807',
  '1e20',
  '1.7976931348623157e308',
  '5e-324',
  '0.30000000000000004',
  '-1.0e-06',
  '20240229',
  '1700000000',
  "x'ff00fe'",
  "x''",
  "x'00'",
  "x'68656c6c6f'",
  "x'00112233445566778899aabbccddeeff'",
  "'data:;base64,/wD+'",
  "'/wD+'",
  "'a' || char(0) || 'b'",
]
const randomAnything = (random: Random) =>
  random.pick([text, double, integer(64), decimal(12, 6), randomMoment, (r: Random) => `x'${hex(r)}'`])(
    random,
  )
const sqliteTypes = [
  '',
  'integer',
  'bigint',
  'int',
  'smallint',
  'real',
  'float',
  'double precision',
  'numeric',
  'decimal(10,2)',
  'boolean',
  'text',
  'varchar(20)',
  'char(3)',
  'clob',
  'blob',
  'bytea',
  'image',
  'raw(16)',
  'uuid',
  'json',
  'date',
  'time',
  'datetime',
  'timestamp',
  'money',
  'point',
]

const numberColumns: readonly OddColumn[] = [
  { type: 'smallint', values: ['-32768', '32767', '0'], random: integer(16) },
  { type: 'integer', values: ['-2147483648', '2147483647', '0'], random: integer(32) },
  {
    type: 'bigint',
    values: ['-9223372036854775808', '9223372036854775807', '9007199254740993'],
    random: integer(64),
  },
]

const jsonTexts = ['{"a": 1}', '{"a":1.0,"b":[null,true,"x"]}', '[]', '"x"', 'null', '1e2', '[1, 2]']

export const oddColumns: Readonly<Record<string, readonly OddColumn[]>> = {
  SQLite: sqliteTypes.map((type) => ({
    type,
    values: /date|timestamp|^$/.test(type) ? [...anything, ...looseMoments] : anything,
    random: randomAnything,
    ...(type === 'boolean' && { unfit: true }),
  })),
  PostgreSQL: [
    ...numberColumns,
    {
      type: 'real',
      values: ["'NaN'", "'Infinity'", "'-Infinity'", '0.1', '-0.0', '3.4028235e38', '1e-45', '16777216'],
      random: (r) => `(${decimal(6, 6)(r)})::real`,
    },
    {
      type: 'double precision',
      values: ["'NaN'", "'Infinity'", "'-0'", '0.1', '1.7976931348623157e308', '5e-324'],
      random: double,
    },
    {
      type: 'numeric',
      values: ["'NaN'", '0', '1.50', '1e100', '-0.000001', `1${'0'.repeat(500)}.000${'7'.repeat(90)}`],
      random: decimal(60, 40),
    },
    { type: 'numeric(12,4)', values: ['0', '1.5'], random: decimal(8, 4) },
    { type: 'boolean', values: ['true', 'false'], random: (r) => r.pick(['true', 'false']) },
    { type: 'text', values: texts, random: text },
    { type: 'varchar(40)', values: texts, random: text },
    { type: 'char(12)', values: texts.filter((value) => value.length < 14), random: text },
    { type: 'name', values: texts, random: text },
    { type: '"char"', values: ["'a'", "''", "'é'"], random: (r) => quoted(r.pick(['a', 'b', '\\', "'"])) },
    { type: 'bytea', values: ["'\\x'", "'\\xff00fe'", "'\\x68656c6c6f'"], random: (r) => `'\\x${hex(r)}'` },
    {
      type: 'uuid',
      values: ["'00000000-0000-0000-0000-000000000000'"],
      random: (r) => `md5('${r.below(1e9)}')::uuid`,
    },
    {
      type: 'date',
      values: [
        "'infinity'",
        "'-infinity'",
        "'0044-03-15 BC'",
        "'10000-01-01'",
        "'294276-01-01'",
        "'5874897-12-31'",
        "'0001-01-01'",
        "'4713-01-01 BC'",
      ],
      random: anyEra(day),
    },
    {
      type: 'timestamp',
      values: [
        "'infinity'",
        "'-infinity'",
        "'0044-03-15 01:02:03.000001 BC'",
        "'10000-01-01'",
        "'294276-12-31 23:59:59.999999'",
      ],
      random: anyEra(moment),
    },
    {
      type: 'timestamptz',
      values: [
        "'infinity'",
        "'2021-06-30 12:00:00+05:30'",
        "'0001-01-01 00:00:00+14'",
        "'9999-12-31 23:00:00-10'",
      ],
      random: (r) => `'${moment(r)}${r.pick(['Z', '+02', '-11:30'])}'`,
    },
    {
      type: 'time',
      values: ["'24:00'", "'00:00'", "'23:59:59.999999'"],
      random: (r) => `'${clock(r)}${fraction(r)}'`,
    },
    {
      type: 'timetz',
      values: ["'24:00Z'", "'00:00+02'"],
      random: (r) => `'${clock(r)}${r.pick(['Z', '+02', '-11:30'])}'`,
    },
    {
      type: 'interval',
      values: ["'0'", "'-1 year 2 days'", "'30:00:00.5'"],
      random: (r) => `'${r.below(99)} days ${clock(r)}'`,
    },
    {
      type: 'money',
      values: ['0', '-1.5', '92233720368547758.07'],
      random: (r) => `(${decimal(6, 2)(r)})::numeric::money`,
    },
    { type: 'json', values: jsonTexts.map(quoted), random: (r) => `'{"a": [${double(r)}, ${r.below(9)}]}'` },
    {
      type: 'jsonb',
      values: jsonTexts.map(quoted),
      random: (r) => `'{"b": ${decimal(30, 10)(r)}, "a": null}'`,
    },
    {
      type: 'integer[]',
      values: ["'{}'", "'{1,null}'", "'{{1,2},{3,4}}'", "'[0:1]={1,2}'"],
      random: (r) => `array[${r.below(9)}, ${r.below(9)}]`,
    },
    {
      type: 'text[]',
      values: ["'{}'", `'{"a b",NULL,"NULL",""}'`],
      random: (r) => `array[${text(r)}, ${text(r)}]`,
    },
    {
      type: 'bytea[]',
      values: ["'{}'", `array['\\xff00'::bytea]`],
      random: (r) => `array['\\x${hex(r)}'::bytea]`,
    },
    { type: 'float8[]', values: ["'{NaN,Infinity,-0}'"], random: (r) => `array[${double(r)}]::float8[]` },
    { type: 'timestamp[]', values: ["'{infinity}'"], random: (r) => `array['${moment(r)}']::timestamp[]` },
    {
      type: 'int4range',
      values: ["'empty'", "'(,)'", "'[1,5)'"],
      random: (r) => `int4range(${r.below(9)}, ${10 + r.below(9)})`,
    },
    {
      type: 'tstzrange',
      values: ["'[2021-06-30 12:00:00+02,)'"],
      random: (r) => `'[${moment(r)}Z,infinity)'`,
    },
    {
      type: 'inet',
      values: ["'::1'", "'10.0.0.1/8'"],
      random: (r) => `'10.0.0.${r.below(256)}/${8 + r.below(24)}'`,
    },
    { type: 'cidr', values: ["'10.0.0.0/8'", "'::/0'"], random: (r) => `'10.${r.below(256)}.0.0/16'` },
    {
      type: 'macaddr',
      values: ["'08:00:2b:01:02:03'"],
      random: (r) => `'08:00:2b:01:02:${pad(r.below(99), 2)}'`,
    },
    { type: 'bit(4)', values: ["b'0101'"], random: (r) => `${r.below(16)}::bit(4)` },
    { type: 'bit varying', values: ["b''", "b'1'"], random: (r) => `${r.below(16)}::bit(4)` },
    { type: 'xml', values: ["'<a/>'"], random: (r) => `'<a>${r.below(999)}</a>'` },
    {
      type: 'point',
      values: ["'(1,2)'", "'(NaN,Infinity)'"],
      random: (r) => `point(${double(r)}, ${r.below(9)})`,
    },
    { type: 'tsvector', values: ["''", "'a:1 b'"], random: (r) => `to_tsvector('simple', ${text(r)})` },
    { type: 'oid', values: ['0', '4294967295'], random: (r) => String(r.below(4294967296)) },
    { type: 'mood', values: ["'sad'", "'Happy'", "''"], random: (r) => quoted(r.pick(['sad', 'Happy', ''])) },
    { type: 'pair', values: ["'(,)'", `'(1,"a b")'`], random: (r) => `row(${r.below(9)}, ${text(r)})` },
    { type: 'amount', values: ['1.50', "'NaN'"], random: decimal(8, 4) },
  ],
  MariaDB: [
    ...numberColumns,
    { type: 'tinyint(1)', values: ['0', '1', '-128', '127'], random: integer(8) },
    {
      type: 'bigint unsigned',
      values: ['0', '18446744073709551615'],
      random: (r) => `0x${hex(r, 8) || '00'} + 0`,
    },
    {
      type: 'float',
      values: ['0.1', '3.3', '19.99', '-0e0', '3.402823466e38', '1.4e-45', '16777217'],
      random: decimal(6, 6),
    },
    { type: 'float(9,3)', values: ['0.1', '19.999'], random: decimal(4, 3) },
    {
      type: 'double',
      values: ['0.1', '-0e0', '1.7976931348623157e308', '2.2250738585072014e-308'],
      random: double,
    },
    {
      type: 'decimal(65,30)',
      values: ['0', '1.50', '-99999999999999999999999999999999999.999999999999999999999999999999'],
      random: decimal(30, 30),
    },
    { type: 'decimal(10,0)', values: ['0', '-1'], random: decimal(9, 0) },
    {
      type: 'bit(64)',
      values: ["b'0'", "b'1111111111111111111111111111111111111111111111111111111111111111'"],
      random: (r) => `0x${hex(r, 8) || '00'}`,
    },
    { type: 'year', values: ['0', '1901', '2155'], random: (r) => String(1901 + r.below(254)) },
    {
      type: 'date',
      values: ["'0000-00-00'", "'2024-00-00'", "'2024-01-00'", "'0000-01-01'", "'9999-12-31'"],
      random: (r) => `'${day(r)}'`,
    },
    {
      type: 'datetime',
      values: ["'0000-00-00'", "'2024-00-10 01:02:03'", "'2024-01-00 00:00:00'", "'9999-12-31 23:59:59'"],
      random: (r) => `'${day(r)} ${clock(r)}'`,
    },
    {
      type: 'datetime(6)',
      values: ["'0000-00-00'", "'2024-00-10 01:02:03.5'", "'2024-01-01 00:00:00.000001'"],
      random: (r) => `'${moment(r)}'`,
    },
    {
      type: 'timestamp(3) null',
      values: ["'0000-00-00'", "'1970-01-01 00:00:01'", "'2038-01-19 03:14:07.999'"],
      random: (r) => `'${1971 + r.below(60)}-01-02 ${clock(r)}.5'`,
    },
    {
      type: 'time',
      values: ["'-838:59:59'", "'838:59:59'", "'00:00:00'"],
      random: (r) => `'${r.below(838)}:${pad(r.below(60), 2)}:00'`,
    },
    {
      type: 'time(6)',
      values: ["'-838:59:59.999999'", "'100:00:00.500000'"],
      random: (r) => `'${clock(r)}${fraction(r)}'`,
    },
    { type: 'char(12)', values: texts.filter((value) => value.length < 14), random: text },
    { type: 'varchar(60)', values: [...texts, "'a\\0b'"], random: text },
    {
      type: 'varchar(60) character set latin1',
      values: ["'é'", "'e'", "'a '"],
      random: (r) => quoted(r.pick(['é', 'É', 'x ', 'ß', ''])),
    },
    { type: 'longtext', values: texts, random: text },
    {
      type: "enum ('small', 'Large')",
      values: ["'small'", "'Large'", '0'],
      random: (r) => quoted(r.pick(['small', 'Large'])),
    },
    { type: "set ('a', 'b', 'c')", values: ["''", "'a,c'", "'a,b,c'"], random: (r) => String(r.below(8)) },
    { type: 'json', values: jsonTexts.map(quoted), random: (r) => `'{"a": [${r.below(9)}, ${r.below(9)}]}'` },
    { type: 'binary(4)', values: ["x'00ff'", "''", "'abcd'"], random: (r) => `x'${hex(r, 5)}'` },
    { type: 'varbinary(40)', values: ["x'ff00fe'", "''", "'hello'"], random: (r) => `x'${hex(r)}'` },
    { type: 'longblob', values: ["x'ff00fe'", "''"], random: (r) => `x'${hex(r)}'` },
    {
      type: 'uuid',
      values: ["'123e4567-e89b-12d3-a456-426614174000'", "'d9428888-122b-11e1-b85c-61cd3cbb3210'"],
      random: (r) => `'123e4567-e89b-12d3-a456-${pad(r.below(1e9), 12)}'`,
    },
    { type: 'inet6', values: ["'::1'", "'::ffff:1.2.3.4'"], random: (r) => `'2001:db8::${r.below(9999)}'` },
    {
      type: 'point',
      values: ['point(1, 2)', 'point(-1.5, 1e10)'],
      random: (r) => `point(${decimal(3, 3)(r)}, ${r.below(9)})`,
    },
  ],
}

/** What the types need. */
export const preparation: Readonly<Record<string, readonly string[]>> = {
  SQLite: [],
  PostgreSQL: [
    "create type mood as enum ('sad', 'Happy', '')",
    'create type pair as (a integer, b text)',
    'create domain amount as numeric',
  ],
  MariaDB: [],
}
