/** Flat rows on PostgreSQL through `pg`. */
import pg from 'pg'
import { type Rows, rowAnswers, type Value } from './row-answers.ts'
import { serve } from './serve.ts'
import { postgresqlStatements } from './statements.ts'

const { name: database, ...server } = JSON.parse(process.env.DATABASE ?? '{}')
const pool = new pg.Pool({ ...server, database, max: 4, pipeline: true })
const types = { getTypeParser: (oid: number) => (oid === 21 || oid === 23 ? Number : (text: string) => text) }

serve(
  rowAnswers(async (name, values): Promise<Rows> => {
    const text = postgresqlStatements[name]
    const { rows } = await pool.query<Value[]>({
      name,
      text,
      values: [...values],
      rowMode: 'array',
      types: types as never,
    })
    return rows
  }),
)
