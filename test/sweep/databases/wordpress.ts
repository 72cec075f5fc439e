/**
 * The twelve tables of a WordPress site: zero dates, keys without foreign keys, defaults for everything, texts in a
 * case-insensitive collation. On MySQL as WordPress makes them (wp-admin/includes/schema.php), on SQLite as its
 * SQLite integration does, on PostgreSQL as PG4WP does.
 */
import { type DescribedDatabase, insertRows, type Product, quoteNames } from './described-database.ts'

/** A column by what it is for; `varchar` and its like have their length behind them. */
type Kind = 'id' | 'reference' | 'integer' | 'text' | 'moment' | `varchar ${number}`
type TableDescription = readonly [
  name: string,
  columns: Readonly<Record<string, Kind>>,
  keys: readonly string[],
]

const tables: readonly TableDescription[] = [
  [
    'wp_users',
    {
      ID: 'id',
      user_login: 'varchar 60',
      user_pass: 'varchar 255',
      user_nicename: 'varchar 50',
      user_email: 'varchar 100',
      user_url: 'varchar 100',
      user_registered: 'moment',
      user_activation_key: 'varchar 255',
      user_status: 'integer',
      display_name: 'varchar 250',
    },
    ['user_login', 'user_nicename', 'user_email'],
  ],
  [
    'wp_usermeta',
    { umeta_id: 'id', user_id: 'reference', meta_key: 'varchar 255', meta_value: 'text' },
    ['user_id', 'meta_key'],
  ],
  [
    'wp_posts',
    {
      ID: 'id',
      post_author: 'reference',
      post_date: 'moment',
      post_date_gmt: 'moment',
      post_content: 'text',
      post_title: 'text',
      post_excerpt: 'text',
      post_status: 'varchar 20',
      comment_status: 'varchar 20',
      ping_status: 'varchar 20',
      post_password: 'varchar 255',
      post_name: 'varchar 200',
      to_ping: 'text',
      pinged: 'text',
      post_modified: 'moment',
      post_modified_gmt: 'moment',
      post_content_filtered: 'text',
      post_parent: 'reference',
      guid: 'varchar 255',
      menu_order: 'integer',
      post_type: 'varchar 20',
      post_mime_type: 'varchar 100',
      comment_count: 'integer',
    },
    ['post_name', 'post_type, post_status, post_date, ID', 'post_parent', 'post_author'],
  ],
  [
    'wp_postmeta',
    { meta_id: 'id', post_id: 'reference', meta_key: 'varchar 255', meta_value: 'text' },
    ['post_id', 'meta_key'],
  ],
  [
    'wp_comments',
    {
      comment_ID: 'id',
      comment_post_ID: 'reference',
      comment_author: 'text',
      comment_author_email: 'varchar 100',
      comment_author_url: 'varchar 200',
      comment_author_IP: 'varchar 100',
      comment_date: 'moment',
      comment_date_gmt: 'moment',
      comment_content: 'text',
      comment_karma: 'integer',
      comment_approved: 'varchar 20',
      comment_agent: 'varchar 255',
      comment_type: 'varchar 20',
      comment_parent: 'reference',
      user_id: 'reference',
    },
    ['comment_post_ID', 'comment_approved, comment_date_gmt', 'comment_date_gmt', 'comment_parent'],
  ],
  [
    'wp_commentmeta',
    { meta_id: 'id', comment_id: 'reference', meta_key: 'varchar 255', meta_value: 'text' },
    ['comment_id', 'meta_key'],
  ],
  [
    'wp_terms',
    { term_id: 'id', name: 'varchar 200', slug: 'varchar 200', term_group: 'integer' },
    ['slug', 'name'],
  ],
  [
    'wp_termmeta',
    { meta_id: 'id', term_id: 'reference', meta_key: 'varchar 255', meta_value: 'text' },
    ['term_id', 'meta_key'],
  ],
  [
    'wp_term_taxonomy',
    {
      term_taxonomy_id: 'id',
      term_id: 'reference',
      taxonomy: 'varchar 32',
      description: 'text',
      parent: 'reference',
      count: 'integer',
    },
    ['taxonomy'],
  ],
  [
    'wp_term_relationships',
    { object_id: 'reference', term_taxonomy_id: 'reference', term_order: 'integer' },
    ['term_taxonomy_id'],
  ],
  [
    'wp_options',
    { option_id: 'id', option_name: 'varchar 191', option_value: 'text', autoload: 'varchar 20' },
    ['autoload'],
  ],
  [
    'wp_links',
    {
      link_id: 'id',
      link_url: 'varchar 255',
      link_name: 'varchar 255',
      link_visible: 'varchar 20',
      link_owner: 'reference',
      link_rating: 'integer',
      link_updated: 'moment',
      link_notes: 'text',
    },
    ['link_visible'],
  ],
]

const constraints: Readonly<Record<string, string>> = {
  wp_term_relationships: 'primary key ([object_id], [term_taxonomy_id])',
  wp_options: 'unique ([option_name])',
  wp_term_taxonomy: 'unique ([term_id], [taxonomy])',
}

const types: Readonly<Record<Product, (kind: Kind) => string>> = {
  mysql: (kind) =>
    ({
      id: 'bigint(20) unsigned not null auto_increment primary key',
      reference: "bigint(20) unsigned not null default '0'",
      integer: "int(11) not null default '0'",
      text: 'longtext not null',
      moment: "datetime not null default '0000-00-00 00:00:00'",
    })[kind as string] ?? `varchar(${lengthOf(kind)}) not null default ''`,
  sqlite: (kind) =>
    ({
      id: 'integer primary key autoincrement not null',
      reference: "integer not null default '0'",
      integer: "integer not null default '0'",
      text: "text not null default '' collate nocase",
      moment: "text not null default '0000-00-00 00:00:00' collate nocase",
    })[kind as string] ?? "text not null default '' collate nocase",
  postgresql: (kind) =>
    ({
      id: 'bigint generated by default as identity primary key',
      reference: 'bigint not null default 0',
      integer: 'integer not null default 0',
      text: "text not null default ''",
      moment: "timestamp not null default '0001-01-01 00:00:00'",
    })[kind as string] ?? `varchar(${lengthOf(kind)}) not null default ''`,
}

const lengthOf = (kind: Kind) => kind.split(' ')[1] ?? '255'

/** The date that the product's site has where there is none. */
const noDate: Readonly<Record<Product, string>> = {
  mysql: "'0000-00-00 00:00:00'",
  sqlite: "'0000-00-00 00:00:00'",
  postgresql: "'0001-01-01 00:00:00'",
}

function statementsFor(product: Product): readonly string[] {
  const made = tables.map(([name, columns]) => {
    const parts = Object.entries(columns).map(([column, kind]) => `[${column}] ${types[product](kind)}`)
    const rule = constraints[name]
    const end = product === 'mysql' ? ' default character set utf8mb4 collate utf8mb4_unicode_520_ci' : ''
    return `create table [${name}] (${[...parts, ...(rule === undefined ? [] : [rule])].join(', ')})${end}`
  })
  const indexes = tables.flatMap(([table, , keys]) =>
    keys.map((key, index) => `create index [${table}_${index}] on [${table}] (${indexed(key, product)})`),
  )
  return [...made, ...indexes, ...rowsOf(noDate[product])].map((sql) => quoteNames(sql, product))
}

/** On MySQL long texts are indexed by their first 191 characters, as WordPress does. */
function indexed(key: string, product: Product): string {
  const isLong = product === 'mysql' && ['meta_key'].includes(key)
  return key
    .split(', ')
    .map((column) => `[${column}]${isLong ? '(191)' : ''}`)
    .join(', ')
}

function rowsOf(none: string): readonly string[] {
  const at = (day: number) => `'2024-03-${String(day).padStart(2, '0')} 09:30:00'`
  return [
    insertRows(
      'wp_users',
      ['ID', 'user_login', 'user_email', 'user_registered', 'display_name'],
      [
        ['1', "'admin'", "'admin@example.org'", at(1), "'Admin'"],
        ['2', "'zoe'", "'zoe@example.org'", none, "'Zoë'"],
        ['3', "'Émile'", "'emile@example.org'", none, "'émile '"],
      ],
    ),
    insertRows(
      'wp_usermeta',
      ['user_id', 'meta_key', 'meta_value'],
      [
        ['1', "'wp_capabilities'", `'a:1:{s:13:"administrator";b:1;}'`],
        ['1', "'nickname'", "'admin'"],
        ['2', "'nickname'", "''"],
        ['3', "'Nickname'", "'É'"],
      ],
    ),
    insertRows(
      'wp_posts',
      [
        'ID',
        'post_author',
        'post_date',
        'post_date_gmt',
        'post_content',
        'post_title',
        'post_excerpt',
        'to_ping',
        'pinged',
        'post_content_filtered',
        'post_status',
        'post_name',
        'post_type',
      ],
      [
        post(1, 1, at(1), at(1), 'Hello world!', 'publish', 'hello-world'),
        post(2, 1, at(2), none, 'hello World!', 'draft', ''),
        post(3, 2, none, none, 'Auto Draft', 'auto-draft', ''),
        post(4, 2, none, none, 'Auto draft', 'auto-draft', ''),
        post(5, 3, at(5), at(5), 'Über <b>uns</b>', 'publish', '%c3%bcber-uns'),
      ],
    ),
    insertRows(
      'wp_postmeta',
      ['post_id', 'meta_key', 'meta_value'],
      [
        ['1', "'_edit_lock'", "'1709285400:1'"],
        ['5', "'_wp_page_template'", "'default'"],
      ],
    ),
    insertRows(
      'wp_comments',
      [
        'comment_ID',
        'comment_post_ID',
        'comment_author',
        'comment_content',
        'comment_date',
        'comment_date_gmt',
        'comment_approved',
      ],
      [
        ['1', '1', "'A WordPress Commenter'", "'Hi, this is a comment. 😀'", at(1), at(1), "'1'"],
        ['2', '1', "'spam'", "''", none, none, "'spam'"],
        ['3', '5', "''", "'a line\nand another'", at(6), none, "'0'"],
      ],
    ),
    insertRows(
      'wp_terms',
      ['term_id', 'name', 'slug'],
      [
        ['1', "'Uncategorized'", "'uncategorized'"],
        ['2', "'uncategorized'", "'uncategorized-2'"],
      ],
    ),
    insertRows(
      'wp_term_taxonomy',
      ['term_taxonomy_id', 'term_id', 'taxonomy', 'description'],
      [
        ['1', '1', "'category'", "''"],
        ['2', '2', "'category'", "''"],
        ['3', '2', "'post_tag'", "''"],
      ],
    ),
    insertRows(
      'wp_term_relationships',
      ['object_id', 'term_taxonomy_id'],
      [
        ['1', '1'],
        ['1', '3'],
        ['5', '1'],
        ['0', '2'],
      ],
    ),
    insertRows(
      'wp_options',
      ['option_id', 'option_name', 'option_value', 'autoload'],
      [
        ['1', "'siteurl'", "'http://example.org'", "'yes'"],
        ['2', "'blogname'", "'A site'", "'yes'"],
        ['3', "'_transient_x'", "'0'", "'no'"],
      ],
    ),
    insertRows(
      'wp_links',
      ['link_id', 'link_url', 'link_name', 'link_updated', 'link_notes'],
      [['1', "'http://example.org'", "'Example'", none, "''"]],
    ),
  ]
}

function post(
  id: number,
  author: number,
  date: string,
  gmt: string,
  title: string,
  status: string,
  name: string,
) {
  const texts = ['<!-- wp:paragraph -->', title, '', '', '', '', status, name, 'post']
  return [String(id), String(author), date, gmt, ...texts.map((text) => `'${text}'`)]
}

export const wordpress: DescribedDatabase = {
  name: 'a WordPress site',
  statements: {
    mysql: statementsFor('mysql'),
    sqlite: statementsFor('sqlite'),
    postgresql: statementsFor('postgresql'),
  },
}
