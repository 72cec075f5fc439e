/** Limits of accounts and roles, over all nodes. A window is a day, so that none ends meanwhile but at midnight. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { spokenWait } from '../../src/util/spoken-duration.ts'
import { anyProduct } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

const day = 86_400
const reading = [{ regex: '/graphql|/manage/tokens', methods: ['GET'] }]

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let nodes: TwoGateways

  beforeAll(async () => {
    nodes = await startTwoGateways(product)
  })
  afterAll(() => nodes.close())

  const get = (token: string, node = 0) =>
    fetch(`${[nodes.first.url, nodes.second.address][node]}/graphql`, {
      headers: { 'x-xaas-auth-token': token },
    })
  const change = (username: string, body: object) =>
    nodes.first.request('PATCH', `/manage/accounts/${username}`, { body })
  async function tokenWith(username: string, fields: object, roleFields: object = {}) {
    const account = await createAccount(nodes.first, username, reading, fields)
    await nodes.first.request('PUT', `/manage/roles/of-${username}`, {
      body: { authorities: reading, ...roleFields },
    })
    const token = await logonAs(nodes.first, account)
    // `/whoami` is not counted.
    const headers = { 'x-xaas-auth-token': token }
    await vi.waitFor(async () => {
      expect((await fetch(`${nodes.second.address}/whoami`, { headers })).status).toBe(200)
    }, 60_000)
    return token
  }

  test('R10: never more than the limit are let in over all nodes, and not one less', async () => {
    for (const requests of [1, 7, 90]) {
      const token = await tokenWith(`limit-${requests}`, { limits: { requests, per: day } })
      const statuses: number[] = []
      // Some at once, at both nodes, until both let in no one any more.
      let round: number[]
      do {
        const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => get(token, index % 2)))
        await Promise.all(answers.map((answer) => answer.text()))
        round = answers.map(({ status }) => status)
        statuses.push(...round)
      } while (round.includes(200))
      const allowed = statuses.filter((status) => status === 200).length
      expect({ requests, allowed, others: new Set(statuses) }).toEqual({
        requests,
        allowed: requests,
        others: new Set([200, 429]),
      })
    }
  })

  test('R10: answers say what is left, and a refusal when to come again', async () => {
    const token = await tokenWith('told', { limits: { requests: 2, per: day } })
    const told = (response: Response) =>
      ['limit', 'remaining'].map((name) => response.headers.get(`ratelimit-${name}`)).join(' of ')
    const first = await get(token)
    const second = await get(token)
    expect([first.status, told(first), second.status, told(second)]).toEqual([200, '2 of 1', 200, '2 of 0'])
    const refusal = await get(token)
    const wait = Number(refusal.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(day)
    expect(refusal.headers.get('ratelimit-reset')).toBe(String(wait))
    expect(refusal.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect({ status: refusal.status, body: await refusal.json() }).toMatchObject({
      status: 429,
      body: {
        code: 'TOO_MANY_REQUESTS',
        detail: `This account may make 2 requests in 1 day. Try again in ${spokenWait(wait)}.`,
      },
    })
  })

  test('R10: answers of upstream APIs say what is left, in place of what those say of their own limits', async () => {
    const upstream = createServer((request, response) => {
      const fails = request.url?.endsWith('/fails')
      response.writeHead(fails ? 500 : 200, { 'RateLimit-Limit': '9', 'RateLimit-Policy': 'theirs' })
      response.end('theirs')
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void upstream.close())
    const { port } = upstream.address() as AddressInfo
    const route = (target: string, scope = 'protected') => ({
      path: '/up/*',
      methods: ['GET'],
      target,
      scope,
    })
    const put = (body: object) => nodes.first.request('PUT', '/manage/routes/up', { body })
    await put(route(`http://127.0.0.1:${port}`))
    const authorities = [{ regex: '/up/.*', methods: ['GET'] }]
    const limits = { requests: 5, per: day }
    const token = await tokenWith('upstream', {}, { authorities, limits })
    const free = await tokenWith('upstream-free', {}, { authorities })
    const ask = async (path: string, as?: string) => {
      const headers = as === undefined ? undefined : { 'x-xaas-auth-token': as }
      const answer = await fetch(nodes.first.url + path, { ...(headers && { headers }) })
      const { status } = answer
      await answer.text()
      return [
        status,
        ...['limit', 'remaining', 'policy'].map((name) => answer.headers.get(`ratelimit-${name}`)),
      ]
    }
    expect(await ask('/up/x', token)).toEqual([200, '5', '4', 'theirs'])
    expect(await ask('/up/fails', token)).toEqual([500, '5', '3', 'theirs'])
    expect(await ask('/up/x', free)).toEqual([200, '9', null, 'theirs'])
    await put(route('http://127.0.0.1:9'))
    expect(await ask('/up/x', token)).toEqual([502, '5', '2', null])
    await put(route(`http://127.0.0.1:${port}`, 'public'))
    expect(await ask('/up/x', token)).toEqual([200, '9', null, 'theirs'])
    await nodes.first.request('DELETE', '/manage/routes/up')
  })

  test('R10: only what is limited is counted, and others are not concerned', async () => {
    const one = await tokenWith('one', {}, { limits: { requests: 1, per: day } })
    const two = await tokenWith('two', { role: 'of-one' })
    const free = await tokenWith('free', {})
    const statuses = async (token: string) => [(await get(token)).status, (await get(token)).status]
    expect(await statuses(one)).toEqual([200, 429])
    expect(await statuses(two)).toEqual([200, 429])
    const response = await get(free)
    expect([response.status, response.headers.has('ratelimit-limit')]).toEqual([200, false])
    // What the role does not allow is refused before, and counts for nothing.
    const strict = await tokenWith('strict', { limits: { requests: 1, per: day } })
    expect((await nodes.first.request('DELETE', '/graphql', { token: strict })).status).toBe(401)
    expect((await get(strict)).status).toBe(200)
  })

  test('R10: of several roles the largest counts, and the account before its roles', async () => {
    const { first } = nodes
    const token = await tokenWith('several', {}, { limits: { requests: 3, per: day } })
    await first.request('PUT', '/manage/roles/small', {
      body: { authorities: [], limits: { requests: 1, per: day } },
    })
    await first.request('PUT', '/manage/roles/silent', { body: { authorities: [] } })
    const limitNow = async () => (await get(token)).headers.get('ratelimit-limit')
    await change('several', { role: ['small', 'of-several', 'silent'] })
    expect(await limitNow()).toBe('3')
    await change('several', { limits: { requests: 50, per: 60 } })
    expect(await limitNow()).toBe('50')
    expect((await first.request('GET', '/manage/accounts/several')).body).toMatchObject({
      limits: { requests: 50, per: 60 },
    })
    const { body } = await change('several', { limits: null })
    expect(body).not.toHaveProperty('limits')
    expect(await limitNow()).toBe('3')
  })

  test.each([
    [{ requests: 0, per: 1 }, '/limits/requests'],
    [{ requests: 1.5, per: 1 }, '/limits/requests'],
    [{ requests: 1 }, '/limits/per'],
    [{ requests: 1, per: 86_401 }, '/limits/per'],
    [{ requests: 1, per: 1, burst: 2 }, '/limits/burst'],
  ])('limits are checked when they are written: %j', async (limits, pointer) => {
    const { first } = nodes
    const role = await first.request('POST', '/manage/roles', {
      body: { name: 'x', authorities: [], limits },
    })
    const account = await change('admin', { limits })
    for (const answer of [role, account])
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } })
  })

  test('R9: no one changes the limits of his own account', async () => {
    expect(await change('admin', { limits: { requests: 1, per: 1 } })).toMatchObject({
      status: 403,
      body: { code: 'RIGHTS_NOT_HELD', errors: [{ pointer: '/limits' }] },
    })
  })
})
