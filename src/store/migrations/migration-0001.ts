import type { ColumnSpec, SpecType, TableSpec } from '../../database/table-spec.ts'
import type { Migration } from './migration.ts'

/** The tables of the first version: roles, accounts, API keys, tokens, API routes, entities and the audit. */
export const migration0001: Migration = {
  version: 1,
  statements: (ddl) => ddl.createTables(tables),
}

const column =
  (type: SpecType, nullable: boolean) =>
  (name: string): ColumnSpec => ({ name, type, nullable })
/** Up to 200 characters: may be a key. */
const short = column('string', false)
const optionalShort = column('string', true)
/** Of any length: never a key. */
const long = column('text', false)

const plain = { uniqueKeys: [], foreignKeys: [], indexes: [] }
const toAccount = {
  columns: ['username'],
  referencedTable: 'gatehouse_account',
  referencedColumns: ['username'],
}

const tables: readonly TableSpec[] = [
  { ...plain, name: 'gatehouse_role', columns: [short('name'), long('authorities')], primaryKey: ['name'] },
  {
    ...plain,
    name: 'gatehouse_account',
    columns: [
      short('username'),
      long('password_hash'),
      long('metadata'),
      short('created_at'),
      column('integer', true)('expire_days'),
      optionalShort('expires_at'),
    ],
    primaryKey: ['username'],
  },
  {
    ...plain,
    name: 'gatehouse_account_role',
    columns: [short('username'), short('role_name'), column('integer', false)('ordinal')],
    primaryKey: ['username', 'role_name'],
    foreignKeys: [
      toAccount,
      { columns: ['role_name'], referencedTable: 'gatehouse_role', referencedColumns: ['name'] },
    ],
    indexes: [['role_name']],
  },
  {
    ...plain,
    name: 'gatehouse_api_key',
    columns: [short('key_hash'), short('username'), short('name'), short('created_at')],
    primaryKey: ['key_hash'],
    foreignKeys: [toAccount],
    indexes: [['username']],
  },
  {
    ...plain,
    name: 'gatehouse_token',
    columns: [short('token_hash'), short('username'), short('created_at'), short('expires_at')],
    primaryKey: ['token_hash'],
    foreignKeys: [toAccount],
    indexes: [['username'], ['expires_at']],
  },
  {
    ...plain,
    name: 'gatehouse_api_route',
    columns: [short('name'), long('path'), long('methods'), short('scope')],
    primaryKey: ['name'],
  },
  {
    ...plain,
    name: 'gatehouse_entity',
    columns: [short('name'), long('definition'), short('resource'), short('changed_by'), short('changed_at')],
    primaryKey: ['name'],
  },
  {
    ...plain,
    name: 'gatehouse_audit',
    columns: [
      short('id'),
      short('happened_at'),
      optionalShort('account'),
      short('address'),
      short('request_id'),
      short('action'),
      short('record'),
      short('name'),
      short('detail'),
    ],
    primaryKey: ['id'],
  },
]
