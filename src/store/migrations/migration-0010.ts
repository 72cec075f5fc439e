import type { Migration } from './migration.ts'

/** The journal of uploads of entity definitions, and the current uploader. */
export const migration0010: Migration = {
  version: 10,
  statements: (ddl) => [
    ...ddl.createTables([
      {
        name: 'gatehouse_upload',
        columns: [
          { name: 'id', type: 'string', nullable: false },
          { name: 'state', type: 'string', nullable: false },
          { name: 'steps_done', type: 'string', nullable: false },
          { name: 'account', type: 'string', nullable: false },
          { name: 'request_id', type: 'string', nullable: false },
          { name: 'started_at', type: 'string', nullable: false },
          { name: 'work', type: 'text', nullable: false },
        ],
        primaryKey: ['id'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [['state']],
      },
      {
        name: 'gatehouse_upload_lease',
        columns: [
          { name: 'id', type: 'integer', nullable: false },
          { name: 'holder', type: 'string', nullable: false },
          { name: 'beat', type: 'bigInteger', nullable: false },
        ],
        primaryKey: ['id'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [],
      },
    ]),
    { sql: "insert into gatehouse_upload_lease (id, holder, beat) values (1, '', 0)", parameters: [] },
  ],
}
