/**
 * What the limit servers share: `node:http`, and a body that names the query. They have no GraphQL, no accounts and no
 * limits, and answer with the very bytes that the product answers with.
 */
import { createServer } from 'node:http'
import { orderTag } from '../../src/query/order-tag.ts'
import type { QueryName, Variables } from '../compare/queries.ts'

export type Answer = (variables: Variables) => Promise<Buffer | string> | Buffer | string

export type Answers = Readonly<Record<QueryName, Answer>>

/** The name of the ports' order, as it stands in cursors. */
export const portOrder = orderTag(
  { id: 'Port' } as never,
  [{ column: { name: 'id' }, direction: 'asc' }] as never,
)

export function serve(answers: Answers): void {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', async () => {
      const { query, variables } = JSON.parse(String(Buffer.concat(pieces)) || '{}')
      try {
        const body = query === undefined ? '' : await answers[query as QueryName](variables ?? {})
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        })
        response.end(body)
      } catch (error) {
        response.writeHead(500).end(String(error))
      }
    })
  })
  server.listen(Number(process.env.PORT), '127.0.0.1')
}

/** The end of the prefix's range. */
export function prefixEnd(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
}
