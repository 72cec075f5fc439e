/** Lists of the management API, page by page: by HTTP, and by the commands that follow the pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withManagement } from '../../src/admin/management-client.ts'
import { anyProduct } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { definition } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them
type Json = any

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway
  const names = Array.from({ length: 5 }, (_, index) => `item ${index}'"é`)

  beforeAll(async () => {
    gateway = await startTestGateway(
      product,
      withEntities(['Ant', 'Bee', 'Cow', 'Dog', 'Eel'].map((name) => definition(name))),
    )
    for (const [index, name] of names.entries()) {
      await gateway.request('POST', '/manage/roles', { body: { name, authorities: [] } })
      await gateway.request('POST', '/manage/accounts', {
        body: { username: name, password: 'correct horse', role: name },
      })
      const route = { name, path: `/shop${index}`, methods: ['GET'], target: 'http://127.0.0.1:9' }
      await gateway.request('POST', '/manage/routes', { body: route })
      await gateway.request('POST', '/manage/tokens', { body: { account: name } })
    }
  })
  afterAll(() => gateway.close())

  const lists = ['/manage/roles', '/manage/accounts', '/manage/routes', '/manage/tokens', '/manage/entities']

  /** All pages, as a client follows them. */
  async function pagesOf(path: string): Promise<readonly (readonly Json[])[]> {
    const pages: Json[] = []
    let next: string | undefined = path
    while (next !== undefined) {
      const { status, body, headers } = await gateway.request('GET', next)
      expect(status).toBe(200)
      pages.push(body)
      next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    return pages
  }

  test.each(lists)('R2: %s is answered in pages', async (path) => {
    const [whole = [], ...others] = await pagesOf(path)
    expect([whole.length >= 5, others]).toEqual([true, []])
    const pages = await pagesOf(`${path}?limit=2`)
    expect(pages.flat()).toEqual(whole)
    expect(pages.map(({ length }) => length)).toEqual(
      Array.from({ length: Math.ceil(whole.length / 2) }, (_, index) =>
        Math.min(2, whole.length - 2 * index),
      ),
    )
  })

  test.each(lists)('R2: %s refuses pages that there are not', async (path) => {
    for (const query of [
      'limit=0',
      'limit=1001',
      'limit=x',
      'limit=1&limit=2',
      'before=a',
      'after=a&after=b',
    ]) {
      expect(await gateway.request('GET', `${path}?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'PARAMETER_INVALID' },
      })
    }
    expect((await gateway.request('GET', `${path}?after=%7Enothing`)).status).toBe(200)
  })

  test('records are found by a part of their names', async () => {
    const found = async (path: string, query: string) =>
      (await pagesOf(`${path}?${query}`)).map((page) => page.map(({ name, username }) => name ?? username))
    const wanted = [names[3]]
    for (const path of ['/manage/roles', '/manage/accounts', '/manage/routes']) {
      expect(await found(path, 'q=TEM%203')).toEqual([wanted])
      expect(await found(path, 'q=item&limit=3')).toEqual([names.slice(0, 3), names.slice(3)])
      expect(await found(path, `q=${encodeURIComponent('%_!')}`)).toEqual([[]])
    }
    expect(await found('/manage/entities', 'q=e')).toEqual([['Bee', 'Eel']])
    const [account] = (await pagesOf('/manage/accounts?q=item%203')).flat()
    expect(account.role).toBe(names[3])
  })

  test('the tokens of one account have pages, too', async () => {
    const [name = ''] = names
    for (let index = 0; index < 2; index += 1) {
      await gateway.request('POST', '/manage/tokens', { body: { account: name } })
    }
    const pages = await pagesOf(`/manage/tokens?account=${encodeURIComponent(name)}&limit=1`)
    expect(pages.map((page) => page.map(({ username }) => username))).toEqual([[name], [name], [name]])
  })

  test('commands follow the pages', async () => {
    const settings = {
      url: gateway.url,
      username: 'admin',
      password: gateway.password,
      apiKey: gateway.apiKey,
    }
    const [all] = await pagesOf('/manage/accounts')
    const listed = await withManagement(settings, (client) => client.call('GET', '/manage/accounts?limit=2'))
    expect(listed).toEqual(all)
  })
})
