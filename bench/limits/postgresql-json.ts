/** PostgreSQL builds the whole answer, by `json_build_object` and `json_agg`. */
import pg from 'pg'
import type { QueryName } from '../compare/queries.ts'
import { type Answer, type Answers, prefixEnd, serve } from './serve.ts'
import { jsonStatements } from './statements.ts'

const { name: database, ...server } = JSON.parse(process.env.DATABASE ?? '{}')
const pool = new pg.Pool({ ...server, database, max: 4, pipeline: true })

const answerOf =
  (name: QueryName): Answer =>
  async ({ id, statuses, prefix }) => {
    const values = name === 'Q1' ? [id] : name === 'Q5' ? [statuses, prefix, prefixEnd(String(prefix))] : []
    const { rows } = await pool.query<[string]>({
      name,
      text: jsonStatements[name],
      values,
      rowMode: 'array',
    })
    return rows[0]?.[0] ?? ''
  }

serve(
  Object.fromEntries(
    Object.keys(jsonStatements).map((name) => [name, answerOf(name as QueryName)]),
  ) as Answers,
)
