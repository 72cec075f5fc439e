import type { Migration } from './migration.ts'

/** Passkeys of accounts, the challenges that were answered, and the key that signs challenges. */
export const migration0019: Migration = {
  version: 19,
  statements: (ddl) =>
    ddl.createTables([
      {
        name: 'gatehouse_passkey',
        columns: [
          { name: 'id', type: 'string', nullable: false },
          { name: 'credential_id', type: 'text', nullable: false },
          { name: 'username', type: 'string', nullable: false },
          { name: 'name', type: 'string', nullable: false },
          { name: 'public_key', type: 'text', nullable: false },
          { name: 'counter', type: 'bigInteger', nullable: false },
          { name: 'transports', type: 'text', nullable: false },
          { name: 'backed_up', type: 'integer', nullable: false },
          { name: 'created_at', type: 'string', nullable: false },
          { name: 'last_used_at', type: 'string', nullable: true },
        ],
        primaryKey: ['id'],
        uniqueKeys: [],
        foreignKeys: [
          {
            columns: ['username'],
            referencedTable: 'gatehouse_account',
            referencedColumns: ['username'],
          },
        ],
        indexes: [['username']],
      },
      {
        name: 'gatehouse_passkey_challenge',
        columns: [
          { name: 'challenge_hash', type: 'string', nullable: false },
          { name: 'expires_at', type: 'string', nullable: false },
        ],
        primaryKey: ['challenge_hash'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [['expires_at']],
      },
      {
        name: 'gatehouse_passkey_key',
        columns: [
          { name: 'id', type: 'integer', nullable: false },
          { name: 'secret', type: 'string', nullable: false },
        ],
        primaryKey: ['id'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [],
      },
    ]),
}
