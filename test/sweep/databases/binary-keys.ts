/** A blog whose rows are known by 16 bytes: UUIDs in binary columns, references to them, and a table of joins between them. */
import { type DescribedDatabase, insertRows, type Product, quoteNames } from './described-database.ts'

const types: Readonly<
  Record<Product, { readonly key: string; readonly hash: string; readonly text: string }>
> = {
  mysql: { key: 'binary(16)', hash: 'varbinary(32)', text: 'varchar(200)' },
  sqlite: { key: 'blob', hash: 'blob', text: 'text' },
  postgresql: { key: 'bytea', hash: 'bytea', text: 'varchar(200)' },
}

const bytes: Readonly<Record<Product, (hex: string) => string>> = {
  mysql: (hex) => `x'${hex}'`,
  sqlite: (hex) => `x'${hex}'`,
  postgresql: (hex) => `'\\x${hex}'::bytea`,
}

/** Keys that are odd as text: zeros, bytes that are no UTF-8, a quote, a backslash, all ones. */
const ids = [
  '00000000000000000000000000000000',
  '00000000000000000000000000000001',
  '27272727272727272727272727272727',
  '5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c',
  '808182838485868788898a8b8c8d8e8f',
  'c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9',
  'ffffffffffffffffffffffffffffffff',
]

function statementsFor(product: Product): readonly string[] {
  const { key, hash, text } = types[product]
  const of = bytes[product]
  const id = (index: number) => of(ids[index] ?? '')
  return [
    `create table [author] ([id] ${key} not null primary key, [name] ${text} not null, [avatar] ${hash})`,
    `create table [article] ([id] ${key} not null primary key, [author_id] ${key} not null references [author] ([id]), [reviewer_id] ${key}, [title] ${text} not null, [checksum] ${hash} not null unique, foreign key ([reviewer_id]) references [author] ([id]))`,
    `create table [tag] ([id] ${key} not null primary key, [label] ${text})`,
    `create table [article_tag] ([article_id] ${key} not null, [tag_id] ${key} not null, primary key ([article_id], [tag_id]), foreign key ([article_id]) references [article] ([id]), foreign key ([tag_id]) references [tag] ([id]))`,
    insertRows(
      'author',
      ['id', 'name', 'avatar'],
      ids.map((_, index) => [id(index), `'Author ${index}'`, index % 2 === 0 ? 'null' : of('ff00fe')]),
    ),
    insertRows(
      'article',
      ['id', 'author_id', 'reviewer_id', 'title', 'checksum'],
      ids.map((_, index) => [
        id(index),
        id((index * 3) % ids.length),
        index < 3 ? 'null' : id(6 - index),
        `'Article ${index % 2}'`,
        of(`${'00'.repeat(index)}ff`),
      ]),
    ),
    insertRows(
      'tag',
      ['id', 'label'],
      ids.slice(2).map((_, index) => [id(index + 2), index === 0 ? 'null' : `'Tag'`]),
    ),
    insertRows(
      'article_tag',
      ['article_id', 'tag_id'],
      ids.flatMap((_, index) => [
        [id(index), id(2)],
        [id(index), id(6)],
      ]),
    ),
  ].map((sql) => quoteNames(sql, product))
}

export const binaryKeys: DescribedDatabase = {
  name: 'a blog with binary keys',
  statements: {
    mysql: statementsFor('mysql').map(withSeparateReferences),
    sqlite: statementsFor('sqlite'),
    postgresql: statementsFor('postgresql'),
  },
}

/** MySQL reads a reference behind a column and forgets it: there it is a rule of the table. */
function withSeparateReferences(sql: string): string {
  return sql.replace(
    ' not null references `author` (`id`),',
    ' not null, foreign key (`author_id`) references `author` (`id`),',
  )
}
