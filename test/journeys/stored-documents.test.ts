/** Stored documents (`persisted`), and `graphql_persisted_only`. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StoredDocuments } from '../../src/graphql/stored-documents.ts'
import { anyProduct } from '../support/products.ts'
import { createTenantsAndPorts } from '../support/tenants-and-ports.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const count = 'query Ports($id: String) { Port(id: $id) { totalCount } }'
const stale = '{ Gone { totalCount } }'
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const documents = new StoredDocuments(
  new Map([
    ['ports', count],
    ['stale', stale],
    ['d41d8cd98f00b204e9800998ecf8427e', '{ __typename }'],
  ]),
)
const counted = { data: { Port: { totalCount: 1 } } }
const errors = (...codes: readonly string[]) => ({
  errors: codes.map((code) => expect.objectContaining({ extensions: { code } })),
})

/** The token of a new account that may query, and no more. */
async function tokenOfReader(gateway: TestGateway): Promise<string> {
  const authorities = [{ regex: '/graphql', methods: ['GET', 'POST'] }]
  const credentials = { username: 'robin', password: 'a long pass phrase' }
  await gateway.request('POST', '/manage/roles', { body: { name: 'reader', authorities } })
  const { body } = await gateway.request('POST', '/manage/accounts', {
    body: { ...credentials, role: 'reader' },
  })
  const logon = await gateway.request('POST', '/logon', {
    body: credentials,
    headers: { 'x-xaas-api-key': (body as { api_key: string }).api_key },
  })
  return (logon.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
}

describe.each(anyProduct('SQLite'))('$name', (product) => {
  describe.each([true, false])('where other documents are refused: %s', (onlyStored) => {
    let gateway: TestGateway
    let token: string

    beforeAll(async () => {
      gateway = await startTestGateway(product, createTenantsAndPorts, {
        graphqlRequests: { documents, onlyStored },
      })
      token = await tokenOfReader(gateway)
    })
    afterAll(() => gateway.close())

    const post = (body: unknown, headers = {}): Promise<Answer> =>
      gateway.request('POST', '/graphql', { body, headers, token })
    const get = (parameters: Readonly<Record<string, string>>): Promise<Answer> =>
      gateway.request('GET', `/graphql?${new URLSearchParams(parameters)}`, { token })

    test.each([
      ['the id, by the specification', { documentId: 'ports' }],
      ['the hash, by the specification', { documentId: `sha256:${hashOf(count)}` }],
      ['the hash alone', { documentId: hashOf(count) }],
      ['the id, as with Relay', { doc_id: 'ports', query: null }],
      ['the id, as older clients of Relay', { id: 'ports', query: '' }],
      ['the hash, as Apollo', { extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(count) } } }],
      ['the id, as Apollo', { extensions: { persistedQuery: { version: 1, sha256Hash: 'ports' } } }],
      ['the document itself', { query: count }],
    ])('%s finds a document', async (_name, request) => {
      const { status, body } = await post({ ...request, operationName: 'Ports', variables: { id: '1' } })
      expect([status, body]).toEqual([200, counted])
    })

    test('an address may name it', async () => {
      const variables = JSON.stringify({ id: '1' })
      const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hashOf(count) } })
      expect((await get({ documentId: 'ports', variables })).body).toEqual(counted)
      expect((await get({ extensions, variables })).body).toEqual(counted)
    })

    test('a list of requests may name documents', async () => {
      const { body } = await post([
        { documentId: 'ports', variables: { id: '1' } },
        { documentId: 'nothing' },
        { id: 'd41d8cd98f00b204e9800998ecf8427e' },
      ])
      expect(body).toEqual([counted, errors('PERSISTED_QUERY_NOT_FOUND'), { data: { __typename: 'Query' } }])
    })

    test('variables are checked, and the document fits the schema or is refused', async () => {
      const wrong = await post({ documentId: 'ports', variables: { id: 1 } })
      expect(wrong.body).toEqual(errors('BAD_USER_INPUT'))
      const { body } = await post({ documentId: 'stale' })
      expect(body).toEqual(errors('GRAPHQL_VALIDATION_FAILED'))
    })

    test('an unknown id or hash is one that clients know of', async () => {
      const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf('{ nothing }') } }
      for (const request of [
        { documentId: 'nothing' },
        { extensions },
        { extensions: { persistedQuery: 7 }, id: 'x' },
      ]) {
        const { status, body } = await post(request)
        expect([status, body]).toEqual([
          400,
          {
            errors: [
              { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
            ],
          },
        ])
      }
    })

    test('any other document runs only where that is allowed, or for who may see the schema', async () => {
      const query = '{ Port { totalCount } }'
      const all = { data: { Port: { totalCount: expect.any(Number) } } }
      const answers = [await post({ query }), await get({ query }), (await post([{ query }])).body as unknown]
      if (onlyStored) {
        const refusal = {
          message:
            'This gateway runs only the GraphQL documents that are stored in its configuration (graphql_persisted_only), and this is none of them.',
          extensions: { code: 'PERSISTED_QUERY_REQUIRED' },
        }
        expect(answers).toEqual([
          expect.objectContaining({ status: 403, body: { errors: [refusal] } }),
          expect.objectContaining({ status: 403, body: { errors: [refusal] } }),
          [{ errors: [refusal] }],
        ])
      } else {
        expect(answers).toEqual([
          expect.objectContaining({ status: 200, body: all }),
          expect.objectContaining({ status: 200, body: all }),
          [all],
        ])
      }
      expect(await gateway.graphql(query)).toEqual(all)
    })
  })
})
