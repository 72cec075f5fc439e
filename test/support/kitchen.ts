/** A database of odd things: names, keys, references and every type that a product has, with extreme values. */
import type { SqlValue } from '../../src/database/sql-value.ts'
import { kitchenTypes } from './kitchen-types.ts'
import type { SampleDatabase } from './sample-database.ts'

type Rows = readonly (readonly SqlValue[])[]

interface KitchenTable {
  readonly name: string
  /** Each with its type and rules; the name alone is quoted. */
  readonly columns: readonly (readonly [name: string, type: string])[]
  /** Keys and references, with names in `[…]`. */
  readonly rules: readonly string[]
  readonly rows: Rows
}

const texts = [
  'plain',
  '',
  ' ',
  'blank ',
  'A',
  'a',
  'á',
  'a\u0301',
  'ß',
  'ss',
  'Ω',
  '😀',
  '\u{10ffff}',
  '\uff5e',
  '%',
  '_',
  '\\',
  "it's",
  '"double"',
  '`back`',
  'line\nbreak',
  '{"json": [1]}',
  '?1 :x $1 @y',
  '<b>&amp;</b>',
]

/** Rows of a number and a text. */
const numbered = (count: number): Rows =>
  Array.from({ length: count }, (_, index) => [index + 1, texts[index % texts.length] ?? null])

const id = ['id', 'integer not null'] as const
const text = ['text', 'varchar(100)'] as const
const idRule = 'primary key ([id])'

/** A table with a name, and nothing else that is odd. */
const named = (name: string, count = 3): KitchenTable => ({
  name,
  columns: [id, text],
  rules: [idRule],
  rows: numbered(count),
})

const oddTableNames = [
  'a b',
  'a-b',
  'a_b',
  'sélect',
  'order',
  'select',
  'it\'s "quoted" `twice`',
  'semi;colon -- comment',
  'question ? mark',
  '1st',
  '__type',
  '__proto__',
  'constructor',
  'toString',
  '日本語',
  'PageInfo',
  'node',
  'customNode',
  'Query',
  'String',
  'DateTime',
  'GenericScalar',
  't',
  'k',
  'cut',
  'json_table',
  'json_each',
  'pragma_table_xinfo',
  'pragma_index_list',
  'unnest',
]

const oddColumnNames = [
  'offset',
  'limit',
  'asc',
  'desc',
  'filters',
  'before',
  'after',
  'first',
  'last',
  'GlobalId',
  'id',
  '__typename',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'a b',
  'a-b',
  'a_b',
  'dôt.ted',
  'it\'s "quoted" `twice`',
  'question ? mark',
  ':x',
  '$1',
  '2nd',
  'null',
  'true',
  'select',
  't',
  'k',
  'p',
  'n',
  'v0',
  'v',
  'key',
  'value',
  'c0',
  'o0',
  'parent',
]

const tables: readonly KitchenTable[] = [
  ...oddTableNames.map((name) => named(name)),
  named('Texts', texts.length * 2),
  {
    name: 'Columns',
    columns: [['own', 'integer not null'], ...oddColumnNames.map((name) => [name, 'varchar(40)'] as const)],
    rules: ['primary key ([own])'],
    rows: [0, 1, 2, 3].map((row) => [
      row,
      ...oddColumnNames.map((name, index) => (row === 0 ? null : `${name} ${(index * row) % 3}`)),
    ]),
  },
  {
    name: 'Columns below',
    columns: [
      ['k', 'integer not null'],
      ['n', 'integer not null'],
      ['c0', 'integer'],
      ['columns', 'integer'],
    ],
    rules: ['primary key ([k], [n])', 'foreign key ([c0]) references [Columns] ([own])'],
    rows: [
      [1, 1, 1, 5],
      [1, 2, 1, 4],
      [2, 1, 1, 3],
      [2, 2, 2, 2],
      [3, 1, null, 1],
    ],
  },
  named('Port_'),
  named('Port_Edge'),
  named('Port_Connection'),
  {
    name: 'Port',
    columns: [
      id,
      ['Port_', 'integer'],
      ['port_Id', 'integer'],
      ['port_Ref', 'integer'],
      ['edge_id', 'integer'],
    ],
    rules: [
      idRule,
      'foreign key ([Port_]) references [Port_] ([id])',
      'foreign key ([port_Id]) references [Port_] ([id])',
      'foreign key ([port_Ref]) references [Port_] ([id])',
      'foreign key ([edge_id]) references [Port_Edge] ([id])',
    ],
    rows: [
      [1, 1, 2, 3, 1],
      [2, 1, 2, null, null],
      [3, null, 3, 3, 3],
    ],
  },
  {
    name: 'Tree',
    columns: [id, ['parent', 'integer'], text],
    rules: [idRule, 'foreign key ([parent]) references [Tree] ([id])'],
    rows: [
      [1, null, 'root'],
      [2, 1, 'a'],
      [3, 1, 'b'],
      [4, 1, 'a'],
      [5, 1, null],
      [6, 2, 'c'],
      [7, 7, 'itself'],
    ],
  },
  {
    name: 'Composite',
    columns: [
      ['text key', 'varchar(40) not null'],
      ['number key', 'integer not null'],
      ['up text', 'varchar(40)'],
      ['up number', 'integer'],
    ],
    rules: [
      'primary key ([text key], [number key])',
      'foreign key ([up text], [up number]) references [Composite] ([text key], [number key])',
    ],
    rows: [
      ['a', 1, null, null],
      ['a', 2, 'a', 1],
      ['B', 1, 'a', 1],
      ['["b:', 1, 'B', null],
      ['😀', -1, '["b:', 1],
      ['', 0, '😀', -1],
    ],
  },
  {
    name: 'Coded',
    columns: [id, ['code', 'varchar(40)'], ['other code', 'varchar(40) not null']],
    rules: [idRule, 'unique ([code])', 'unique ([other code])'],
    rows: [
      [1, 'x', 'X'],
      [2, null, 'Y'],
      [3, 'z', 'Z'],
    ],
  },
  {
    name: 'Coding',
    columns: [
      ['code', 'varchar(40)'],
      ['second', 'varchar(40)'],
      ['third', 'varchar(40) not null'],
    ],
    rules: [
      'unique ([third])',
      'foreign key ([code]) references [Coded] ([code])',
      'foreign key ([second]) references [Coded] ([other code])',
    ],
    rows: [
      ['x', 'X', 'one'],
      ['x', 'Y', 'two'],
      [null, 'Z', 'three'],
      ['z', null, 'four'],
    ],
  },
  {
    name: 'Keyless',
    columns: [['number', 'integer'], text],
    rules: [],
    rows: [
      [1, 'a'],
      [1, 'a'],
      [null, null],
      [2, 'b'],
    ],
  },
  {
    name: 'Nearly keyless',
    columns: [['number', 'integer'], text],
    rules: ['unique ([number])'],
    rows: [
      [1, 'a'],
      [2, null],
      [null, null],
    ],
  },
  {
    name: 'Empty',
    columns: [id, ['tree', 'integer']],
    rules: [idRule, 'foreign key ([tree]) references [Tree] ([id])'],
    rows: [],
  },
  { name: 'Key only', columns: [id], rules: [idRule], rows: [[-2147483648], [0], [2147483647]] },
]

/** Makes the tables of the kitchen in an empty database. */
export async function fillKitchen(sample: SampleDatabase, product: string): Promise<void> {
  const { dialect, driver } = sample.database
  const quote = dialect.syntax.quoteIdentifier
  const statements = [
    ...tables.map(({ name, columns, rules }) => {
      const parts = [
        ...columns.map(([column, type]) => `${quote(column)} ${type}`),
        ...rules.map((rule) => rule.replace(/\[([^\]]+)\]/g, (_, name: string) => quote(name))),
      ]
      return `create table ${quote(name)} (${parts.join(', ')})`
    }),
    `create view ${quote('Seen trees')} as select ${quote('id')}, ${quote('text')}, ${quote('parent')} from ${quote('Tree')}`,
  ]
  const types = kitchenTypes[product]
  if (types === undefined) throw new Error(`There are no kitchen types for ${product}`)
  await driver.transaction(async (connection) => {
    for (const sql of statements) await connection.execute({ sql, parameters: [] })
  })
  for (const { name, rows } of tables) await sample.insert(name, rows)
  await driver.transaction(async (connection) => {
    for (const sql of types) await connection.execute({ sql, parameters: [] })
  })
}
