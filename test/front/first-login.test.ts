/** The link with which the password of the first account is chosen. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { up } from '../../src/bin/up.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { products } from '../support/products.ts'
import { recordedInvocation } from '../support/recorded-invocation.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { tryLogon } from '../support/test-accounts.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const [product] = products
const next = 'a long pass phrase'
const page = '/auth/gateway/first'

describe('the link for the first log-in', () => {
  let gateway: TestGateway
  let front: TestFront
  let clock: number
  let code: string
  let visitor: TestBrowser

  beforeEach(async () => {
    if (product === undefined) throw new Error('there is no product')
    gateway = await startTestGateway(product)
    clock = Date.now()
    const services = [{ regex: '/manage/logon-checks', methods: ['POST'] }]
    await gateway.request('POST', '/manage/roles', { body: { name: 'service', authorities: services } })
    const service = { username: 'front', password: next, role: 'service' }
    const { body } = await gateway.request('POST', '/manage/accounts', { body: service })
    const { api_key: apiKey } = body as { api_key: string }
    front = await startTestFront({
      gateway: {
        address: gateway.url,
        credentials: async () => ({ username: 'front', password: next, apiKey }),
      },
      providers: [
        { name: 'gateway', label: 'Gateway', transparentTokens: true, strategy: { kind: 'gateway' } },
      ],
      now: () => new Date(clock),
    })
    visitor = new TestBrowser(front.url)
    const link = front.front.offerFirstLogin({ username: 'admin', password: gateway.password }) ?? ''
    expect(link.startsWith(`${front.front.baseUrl}${page}#`)).toBe(true)
    code = link.split('#')[1] ?? ''
  })
  afterEach(async () => {
    await front.close()
    await gateway.close()
  })

  const choose = (form: Readonly<Record<string, string>>, browser = visitor) =>
    browser.request(page, { form: { code, next, again: next, ...form } })
  const logon = async (password: string) => {
    const account = { username: 'admin', password, apiKey: gateway.apiKey }
    return (await tryLogon(gateway, account)).status
  }

  test('sets the password, logs in, and is good once', async () => {
    const shown = await visitor.get(page)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('account “admin”')
    expect(shown.headers.get('content-security-policy')).toMatch(
      /^script-src 'nonce-[\w-]{22}'; style-src 'nonce-[\w-]{22}'; default-src 'none'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    const chosen = await choose({})
    expect([chosen.status, chosen.location]).toEqual([303, '/'])
    expect((await visitor.get('/session')).body.auth).toMatchObject({ account_id: 'admin' })
    expect([await logon(next), await logon(gateway.password)]).toEqual([200, 401])
    const other = new TestBrowser(front.url)
    const again = await choose({ next: 'another pass phrase', again: 'another pass phrase' }, other)
    expect([again.status, (await other.get(page)).status, (await other.get('/session')).status]).toEqual([
      410, 410, 401,
    ])
    expect(await logon(next)).toBe(200)
    expect(JSON.stringify(front.events)).not.toContain(code)
    expect((await gateway.request('GET', '/whoami')).status).toBe(401)
  })

  test('stays good after a mistake', async () => {
    const mistakes = [
      await choose({ again: 'something else' }),
      await choose({ next: 'short', again: 'short' }),
      await choose({ next: 'password123', again: 'password123' }),
      await choose({ code: 'wrong' }),
      await visitor.request(page, {
        form: { code, next, again: next },
        headers: { 'sec-fetch-site': 'cross-site' },
      }),
    ]
    expect(mistakes.map(({ status }) => status)).toEqual([422, 422, 422, 410, 403])
    expect(mistakes[2]?.text).toContain('one of the most common passwords')
    expect(mistakes[0]?.text).toContain(`value="${code}"`)
    expect(await logon(gateway.password)).toBe(200)
    expect((await choose({})).status).toBe(303)
  })

  test('one of many who use it at once gets in', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const chosen = `${next} ${index}`
        return choose({ next: chosen, again: chosen }, new TestBrowser(front.url))
      }),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array(7).fill(410)])
    const winner = answers.findIndex(({ status }) => status === 303)
    expect(await logon(`${next} ${winner}`)).toBe(200)
  })

  test('is over after 15 minutes, and when the password was changed', async () => {
    clock += 15 * 60_000 - 1
    expect((await visitor.get(page)).status).toBe(200)
    clock += 1
    expect([(await visitor.get(page)).status, (await choose({})).status]).toEqual([410, 410])

    code = front.front.offerFirstLogin({ username: 'admin', password: gateway.password })?.split('#')[1] ?? ''
    const body = { password: gateway.password, new_password: 'another pass phrase' }
    expect((await gateway.request('PATCH', '/whoami/password', { body })).status).toBe(204)
    expect([(await choose({})).status, (await visitor.get(page)).status]).toEqual([410, 410])
    expect(await logon('another pass phrase')).toBe(200)
  })

  test('cannot be tried without end', async () => {
    for (let count = 0; count < 20; count += 1) expect((await choose({ code: 'wrong' })).status).toBe(410)
    const beyond = await choose({})
    expect([beyond.status, Number(beyond.headers.get('retry-after')) > 0]).toEqual([429, true])
  })
})

describe.each([true, false])('gatehouse up, standard output a terminal: %s', (isTerminal) => {
  test('prints the link beside the secrets, at a terminal only, once', async () => {
    const folder = await temporaryFolder()
    const words = ['--data_dir', folder.path, '--gateway_port', '0', '--front_port', '0', '--db_wait', '1m']
    const start = async () => {
      const invocation = { ...recordedInvocation(...words), isTerminal }
      const ended = up.run(invocation)
      await expect.poll(() => invocation.output.length).toBe(1)
      const [report = ''] = invocation.output
      return {
        report,
        async stop() {
          invocation.signal('SIGINT')
          expect(await ended).toBe(0)
          return invocation.errors
        },
      }
    }
    const first = await start()
    const link = /To choose a password yourself, open this link within 15 minutes:\n {2}(\S+)\n/.exec(
      first.report,
    )
    expect(link !== null).toBe(isTerminal)
    if (link !== null && hasBrowser) {
      const browser = await startBrowser()
      const page = await browser.newPage()
      await page.goto(link[1] ?? '')
      expect(new URL(page.url()).hash).toBe('')
      await page.getByLabel('New password, 8 characters or more').fill(next)
      await page.getByLabel('The same again').fill(next)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Account admin' }).waitFor()
      await browser.close()
    }
    expect(first.report).not.toContain(link === null ? '#' : `${link[1]} `)
    await first.stop()
    const second = await start()
    expect(second.report).not.toContain('#')
    await second.stop()
    await folder.remove()
  })
})
