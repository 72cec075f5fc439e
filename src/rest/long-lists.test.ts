import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { shareOf } from '../../test/support/part-of.ts'
import { anyProduct, products, type TestProduct } from '../../test/support/products.ts'
import { type TemporaryApisOptions, temporaryApis } from '../../test/support/temporary-apis.ts'
import { definition, field } from '../../test/support/temporary-entities.ts'

interface Port {
  readonly id: string
  readonly name: string
}

const port = (number: number, width: number) => ({
  id: `p${String(number).padStart(5, '0')}`,
  name: 'ü"'.repeat(width / 3),
})

async function apisWith(
  product: TestProduct,
  count: number,
  width: number,
  options: TemporaryApisOptions = {},
) {
  const apis = await temporaryApis(definition('Port', { local: [field('name', 'text')] }), {
    product,
    ...options,
  })
  const ports = Array.from({ length: count }, (_, number) => port(number, width))
  const together = Math.max(1, Math.floor(5_000_000 / Math.max(width, 5000)))
  for (let from = 0; from < count; from += together)
    expect((await apis.call('POST', '/apis/ports', ports.slice(from, from + together))).status).toBe(201)
  const list = async (query: string) => {
    const { status, headers, body } = await apis.call('GET', `/apis/ports?${query}`)
    return {
      status,
      ids: status === 200 ? body.map(({ id }: Port) => id) : body.detail,
      body,
      total: headers.get('x-total-count'),
      next: /<[^?]*\?([^>]*)>; rel="(\w+)"/.exec(headers.get('link') ?? '')?.slice(1),
      isWhole: headers.has('content-length'),
    }
  }
  return { ...apis, ports, list, ids: ports.map(({ id }) => id) }
}

describe.each(products)('$name: R3: long lists', (product) => {
  test('of many records have the headers and the records that short ones have', async () => {
    const { list, ids } = await apisWith(product, 2300, 3)
    expect(await list('count=true')).toMatchObject({ ids, total: '2300' })
    const limited = await list('limit=1100&offset=100&count=true')
    expect(limited).toMatchObject({ ids: ids.slice(100, 1200), total: '2300' })
    expect(limited.next?.[1]).toBe('next')
    const rest = await list(limited.next?.[0] ?? '')
    expect(rest).toMatchObject({ ids: ids.slice(1200), next: undefined })
    const first = await list('first=1150&desc=name')
    expect(first).toMatchObject({ ids: ids.slice(0, 1150), total: null })
    expect(first.next?.[1]).toBe('next')
    expect(await list(first.next?.[0] ?? '')).toMatchObject({ ids: ids.slice(1150), next: undefined })
    const last = await list('last=1150')
    expect(last).toMatchObject({ ids: ids.slice(1150) })
    expect(await list(last.next?.[0] ?? '')).toMatchObject({ ids: ids.slice(0, 1150) })
    const [, after] = /after=([^&]*)/.exec((await list('first=100')).next?.[0] ?? '') ?? []
    for (const [query, from, to] of [
      [`offset=50&first=1100&after=${after}`, 100, 1200],
      [`offset=50&after=${after}`, 100, 2300],
      [`offset=50&limit=2000&after=${after}`, 100, 2050],
      ['offset=50&limit=2000&last=1100', 950, 2050],
    ] as const)
      expect(await list(query)).toMatchObject({ ids: ids.slice(from, to) })
    expect(await list('limit=2300')).toMatchObject({ ids, next: undefined })
    expect(await list('first=2300')).toMatchObject({ ids, next: undefined })
    expect(await list('first=1100&offset=200&limit=1500')).toMatchObject({ ids: ids.slice(200, 1300) })
  })

  test('with too many records, or bytes, are refused before anything is sent, where that can be known', async () => {
    const { list, ids } = await apisWith(product, 1300, 30, { rowLimit: 1200, byteLimit: 200_000 })
    expect(await list('')).toMatchObject({ status: 413, ids: expect.stringContaining('list_max_rows') })
    expect(await list('limit=1200')).toMatchObject({
      status: 413,
      ids: expect.stringContaining(
        'The list has more than 200,000 bytes, which is the limit (list_max_answer).',
      ),
    })
    expect(await list('limit=500')).toMatchObject({ ids: ids.slice(0, 500) })
  })
})

// Of many bytes: what writes them knows no product.
describe.each(anyProduct('PostgreSQL'))('$name: R3: long lists', (product) => {
  // 9 MB, many times.
  test('of wide records come in pieces, whole, and keep no connection of clients that have left', {
    timeout: 180_000,
  }, async () => {
    const { address, list, ids, ports } = await apisWith(product, 15, 600_000)
    for (const query of shareOf(['', 'limit=15', 'first=15&asc=id'], product)) {
      const answered = await list(query)
      expect(answered).toMatchObject({ ids, isWhole: false, next: undefined })
      expect(answered.body.every(({ name }: Port) => name === ports[0]?.name)).toBe(true)
    }
    const limited = await list('limit=14')
    expect([limited.ids, limited.next]).toEqual([ids.slice(0, 14), ['limit=14&offset=14', 'next']])
    expect(await list('last=14')).toMatchObject({ ids: ids.slice(1) })
    const { hostname, port: number } = new URL(address)
    for (let client = 0; client < 12; client += 1) {
      const socket = connect(Number(number), hostname)
      socket.write('GET /apis/ports HTTP/1.1\r\nhost: gatehouse\r\n\r\n')
      await new Promise((resolve) => socket.once('data', resolve))
      socket.destroy()
    }
    expect(await list('')).toMatchObject({ ids })
  })

  test('that reach the limit of bytes after that have no end, and their connection is cut', async () => {
    const { address, failures } = await apisWith(product, 40, 300_000, { byteLimit: 5_000_000 })
    const response = await fetch(`${address}/apis/ports`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(failures).toMatchObject([{ code: 'ANSWER_TOO_LARGE' }])
  })
})
