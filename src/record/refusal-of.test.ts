import { expect, test } from 'vitest'
import { DatabaseError } from '../database/database-error.ts'
import type { Table } from '../database/database-schema.ts'
import { refusalOf } from './refusal-of.ts'

const table: Table = {
  id: 'log',
  name: 'log',
  kind: 'table',
  columns: new Map(),
  primaryKey: [],
  uniqueKeys: [],
  foreignKeys: [],
}

test.each(['busy', 'deadlock', 'denied', 'readOnly', 'schemaChanged', 'triggerFailed'] as const)(
  'a change of a table without transactions that fails as %s may have been kept: nothing does it again by itself',
  (kind) => {
    const refused = refusalOf(new DatabaseError(kind, 'No.'), {
      kind: 'insert',
      table: { ...table, isPermanent: true },
    })
    expect(refused?.message).toContain('has no transactions, so the change may have been kept.')
    expect(refused?.cause).toMatchObject({ perhapsCommitted: true })
  },
)

test.each(['busy', 'deadlock', 'denied', 'readOnly', 'schemaChanged'] as const)(
  'of one with transactions, %s is no refusal of the record',
  (kind) => {
    expect(refusalOf(new DatabaseError(kind, 'No.'), { kind: 'insert', table })).toBeUndefined()
  },
)
