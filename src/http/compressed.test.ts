import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { acceptedCoding, sendBytes, sendPieces } from './compressed.ts'

test.each([
  [undefined, undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['GZIP;q=0', undefined],
  ['*', undefined],
])('Accept-Encoding: %s', (header, coding) => {
  expect(acceptedCoding(header)).toBe(coding)
})

const text = 'port '.repeat(10_000)

async function* pieces() {
  for (let piece = 0; piece < 10; piece += 1) yield Buffer.from(text.slice(piece * 5000, (piece + 1) * 5000))
}

function server() {
  const app = fastify()
  app.get('/long', async (_, reply) => sendBytes(reply.header('vary', 'accept'), Buffer.from(text), 1000))
  app.get('/short', async (_, reply) => sendBytes(reply, Buffer.from(text.slice(0, 999)), 1000))
  app.get('/pieces', async (_, reply) => sendPieces(reply, pieces()))
  return app
}

test.each(['/long', '/pieces'])('%s is compressed for those who take it', async (url) => {
  const get = (coding: string) => server().inject({ url, headers: { 'accept-encoding': coding } })
  const [brotli, gzip, plain] = await Promise.all([get('br'), get('gzip'), get('identity')])
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(text)
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(text)
  expect(plain.payload).toBe(text)
  expect([brotli, gzip, plain].map(({ headers }) => headers['content-encoding'])).toEqual([
    'br',
    'gzip',
    undefined,
  ])
  for (const { headers } of [brotli, gzip, plain]) expect(headers.vary).toMatch(/accept-encoding$/)
})

test('a short body is sent as it is', async () => {
  const { headers, payload } = await server().inject({ url: '/short', headers: { 'accept-encoding': 'br' } })
  expect(payload).toBe(text.slice(0, 999))
  expect(headers).toMatchObject({ vary: 'accept-encoding' })
  expect(headers['content-encoding']).toBeUndefined()
})

test('a client who leaves ends what makes the pieces', async () => {
  const ended = Promise.withResolvers<void>()
  async function* endless() {
    try {
      for (;;) yield Buffer.from(text)
    } finally {
      ended.resolve()
    }
  }
  const app = fastify()
  app.get('/', async (_, reply) => sendPieces(reply, endless()))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const controller = new AbortController()
  const response = await fetch(address, { headers: { 'accept-encoding': 'gzip' }, signal: controller.signal })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  controller.abort()
  await ended.promise
  await app.close()
})
