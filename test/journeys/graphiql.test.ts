import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { graphiqlFolder } from '../support/page-folders.ts'
import { products } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startProgram } from '../support/start-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const [product] = products
const browserAccept =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'
const html = 'text/html; charset=utf-8'
const json = 'application/json; charset=utf-8'
const problem = 'application/problem+json'

async function start(settings: { readonly graphiqlFolder?: string }): Promise<TestGateway> {
  if (product === undefined) throw new Error('There is no product to test on.')
  return startTestGateway(product, undefined, settings)
}

/** Status and media type of an answer. */
async function asked(
  running: TestGateway,
  path: string,
  {
    method = 'GET',
    accept = browserAccept,
    token,
  }: { method?: string; accept?: string; token?: string | null },
): Promise<readonly unknown[]> {
  const answer = await running.request(method, path, {
    headers: { accept },
    ...(token === undefined ? {} : { token }),
  })
  return [answer.status, answer.headers.get('content-type')]
}

describe('with GraphiQL', () => {
  let running: TestGateway
  beforeAll(async () => {
    running = await start({ graphiqlFolder })
  })
  afterAll(() => running.close())

  describe('who gets the page at /graphql', () => {
    test.each([
      ['a browser', browserAccept, html],
      ['who asks for HTML', 'text/html', html],
      ['who likes HTML best', 'application/json;q=0.9, text/html', html],
      ['who asks for JSON', 'application/json', json],
      ['who takes anything', '*/*', json],
      ['who takes any text', 'text/*', json],
      ['who likes JSON as much', 'text/html, application/json', json],
      ['who likes JSON best', 'text/html;q=0.5, application/json', json],
      ['who refuses HTML', 'text/html;q=0', json],
      ['who asks for a GraphQL response', 'application/graphql-response+json', json],
    ])('%s', async (_name, accept, type) => {
      expect(await asked(running, '/graphql', { accept })).toEqual([200, type])
    })

    test('without a token it is the same page, and everything else stays closed', async () => {
      const token = null
      expect(await asked(running, '/graphql', { token })).toEqual([200, html])
      expect(await asked(running, '/graphql?tab=1', { token })).toEqual([200, html])
      expect(await asked(running, '/graphql', { token, method: 'HEAD' })).toEqual([200, html])
      for (const accept of ['application/json', '*/*', 'text/*', '']) {
        expect(await asked(running, '/graphql', { token, accept })).toEqual([401, problem])
      }
      for (const path of [
        '/graphql?query=%7B__typename%7D',
        '/graphql?query=',
        '/graphql?query',
        '/graphql/',
        '/graphql/Port',
        '/graphiql',
        '/manage/roles',
        '/apis/ports',
      ]) {
        expect([path, ...(await asked(running, path, { token }))]).toEqual([path, 401, html])
      }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        expect([method, ...(await asked(running, '/graphql', { token, method }))]).toEqual([
          method,
          401,
          method === 'POST' ? html : problem,
        ])
      }
    })

    test('a token that is sent counts: a wrong one is refused', async () => {
      expect(await asked(running, '/graphql', { token: 'wrong' })).toEqual([401, problem])
      const bearer = { accept: browserAccept, authorization: 'Bearer wrong' }
      expect((await running.request('GET', '/graphql', { token: null, headers: bearer })).status).toBe(401)
      const basic = { accept: browserAccept, authorization: 'Basic YTpi' }
      expect((await running.request('GET', '/graphql', { token: null, headers: basic })).status).toBe(200)
    })

    test('a token whose role does not allow it is refused', async () => {
      await running.request('POST', '/manage/roles', {
        body: { name: 'other', authorities: [{ regex: '/apis/.*', methods: ['GET'] }] },
      })
      const password = 'a long pass phrase'
      const made = await running.request('POST', '/manage/accounts', {
        body: { username: 'kim', password, role: 'other' },
      })
      const logon = await running.request('POST', '/logon', {
        headers: { 'x-xaas-api-key': (made.body as { api_key: string }).api_key },
        body: { username: 'kim', password },
        token: null,
      })
      const token = (logon.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
      const answer = await running.request('GET', '/graphql', { headers: { accept: browserAccept }, token })
      expect([answer.status, answer.body]).toEqual([401, {}])
    })
  })

  test('the page loads nothing from elsewhere, runs no script but its own, and is in no one’s frame', async () => {
    const { headers } = await running.request('GET', '/graphql', { headers: { accept: 'text/html' } })
    const names = [
      'content-security-policy',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'referrer-policy',
      'x-content-type-options',
      'cache-control',
      'vary',
    ]
    expect(Object.fromEntries(names.map((name) => [name, headers.get(name)]))).toEqual({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      vary: 'accept',
    })
  })

  test('the page holds no data, and says only whether one has to log on', async () => {
    const page = async () =>
      String(
        (await running.request('GET', '/graphql', { headers: { accept: 'text/html' }, token: null })).body,
      )
    const closed = await page()
    expect(closed).toContain('<html lang="en" data-public="no" data-key="unasked">')
    const withoutIcon = closed.replace(/<link rel="icon" href="data:[^"]*"[^>]*>/, '')
    expect(withoutIcon).not.toMatch(/https?:|<style|style=|<script>/)
    const route = { name: 'open', path: '/graphql', methods: ['POST'], scope: 'public' }
    await running.request('POST', '/manage/routes', { body: route })
    expect(await page()).toBe(closed.replace('data-public="no"', 'data-public="yes"'))
    await running.request('DELETE', '/manage/routes/open')
    expect(await page()).toBe(closed)
  })

  describe('the files of the page', () => {
    test('are open to anybody, for good, with their type', async () => {
      const names = await readdir(`${graphiqlFolder}/graphiql`)
      expect(names.filter((name) => !/-[\w-]{8}\.(js|css)$/.test(name))).toEqual([])
      for (const name of names) {
        const { status, headers } = await running.request('GET', `/graphiql/${name}`, { token: null })
        expect({
          status,
          type: headers.get('content-type'),
          cache: headers.get('cache-control'),
          sniff: headers.get('x-content-type-options'),
        }).toEqual({
          status: 200,
          type: `text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
          cache: 'public, max-age=31536000, immutable',
          sniff: 'nosniff',
        })
      }
    })

    test.each([
      ['one that is not there', '/graphiql/index-00000000.js', 404],
      ['the document', '/graphiql/index.html', 404],
      ['the licences', '/graphiql/licenses.md', 404],
      ['what the build noted', '/graphiql/built-from', 404],
      ['a name that objects have', '/graphiql/constructor', 404],
      ['the name of their prototype', '/graphiql/__proto__', 404],
      ['the folder', '/graphiql/', 404],
      ['below a file', '/graphiql/a/b', 401],
      ['beside them', '/graphiql/../package.json', 400],
      ['beside them, encoded', '/graphiql/%2e%2e/package.json', 400],
      ['beside them, encoded with its slash', '/graphiql/..%2fbuilt-from', 400],
      ['beside them, encoded twice', '/graphiql/%252e%252e%252fbuilt-from', 404],
      ['with a backslash', '/graphiql/..\\built-from', 400],
      ['with a NUL', '/graphiql/index.html%00.js', 400],
      ['with parameters', '/graphiql/..;/built-from', 400],
      ['from the root', '/graphiql//etc/passwd', 400],
    ])('%s is not among them', async (_name, path, status) => {
      const { text, ...answer } = await rawRequest(
        running.url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      )
      expect([answer.status, text.includes('application/problem+json')]).toEqual([status, true])
    })

    test('cannot be changed', async () => {
      const { status, headers } = await running.request('PUT', '/graphiql/x.js')
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    })
  })
})

describe('with graphiql=false', () => {
  let running: TestGateway
  beforeAll(async () => {
    running = await start({})
  })
  afterAll(() => running.close())

  test('a browser gets what everybody gets', async () => {
    expect(await asked(running, '/graphql', {})).toEqual([200, json])
    expect(await asked(running, '/graphql', { token: null })).toEqual([401, html])
    const [name = ''] = await readdir(`${graphiqlFolder}/graphiql`)
    expect(await asked(running, `/graphiql/${name}`, {})).toEqual([404, problem])
    expect(await asked(running, `/graphiql/${name}`, { token: null })).toEqual([401, html])
  })
})

test.each([
  { flags: [], answered: [200, html] },
  { flags: ['--graphiql=false'], answered: [401, html] },
])('the program with $flags', async ({ flags, answered }) => {
  const folder = await temporaryFolder()
  const program = await startProgram(folder.path, ...flags)
  try {
    const { status, headers } = await fetch(`${program.url}/graphql`, { headers: { accept: browserAccept } })
    expect([status, headers.get('content-type')]).toEqual(answered)
  } finally {
    await program.stop('SIGTERM')
    await folder.remove()
  }
})
