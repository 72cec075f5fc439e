/** C. Authentication tokens, over HTTP on three stores. Tokens are opaque: what is said of JWTs (C3, C9) has no place. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAuthToken } from '../../src/access/authentication/auth-token.ts'
import { anyProduct } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { createAccount, logonAs, type TestAccount } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

test('C1 tokens share a tag and nothing else, and never come twice', () => {
  const tokens = Array.from({ length: 10_000 }, () => newAuthToken(randomBytes))
  expect(new Set(tokens).size).toBe(tokens.length)
  expect(tokens.filter((token) => !/^ght_[\w-]{43}$/.test(token))).toEqual([])
  const starts = tokens.map((token) => token.slice(4, 12))
  expect(new Set(starts).size).toBe(tokens.length)
})

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway
  let account: TestAccount
  let token: string

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    account = await createAccount(gateway, 'robin', [{ regex: '/graphql', methods: ['GET'] }])
    token = await logonAs(gateway, account)
  })
  afterAll(() => gateway.close())

  const statusWith = async (headers: Readonly<Record<string, string>>, path = '/graphql') =>
    (await gateway.request('GET', path, { token: null, headers })).status
  const tampered = (text: string, index: number) =>
    text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1)

  test('C4 one character that differs is one too many', async () => {
    expect(await statusWith({ 'x-xaas-auth-token': token })).toBe(200)
    const statuses = []
    for (let index = 0; index < token.length; index += 1)
      statuses.push(await statusWith({ 'x-xaas-auth-token': tampered(token, index) }))
    expect(statuses).toEqual(Array(token.length).fill(401))
  })

  test('C4 C7 what is nearly a token is none', async () => {
    for (const text of [
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      token.toUpperCase(),
      token.replace('ght_', ''),
      token.replace('ght_', 'ghk_'),
      `${token},${token}`,
      `${token} ${token}`,
      `"${token}"`,
      `Bearer ${token}`,
      encodeURIComponent(`${token} `),
      'null',
      'undefined',
      '*',
      '%',
      "' or '1'='1",
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
      '../../admin',
      'a'.repeat(8000),
    ]) {
      expect([text, await statusWith({ 'x-xaas-auth-token': text })]).toEqual([text, 401])
    }
  })

  test('C7 several headers count when they say the same, and one that is too long is not read', async () => {
    const send = (...lines: readonly string[]) =>
      rawRequest(gateway.url, ['GET /graphql HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n'))
    const statuses = [
      await send(`X-Xaas-Auth-Token: ${token}`, `Authorization: Bearer ${token}`),
      await send(`X-Xaas-Auth-Token:   ${token}  `),
      await send(`x-xaas-auth-token: ${token}`, 'Authorization: Basic eDp5'),
      await send(`X-Xaas-Auth-Token: ${token}`, `Authorization: Bearer ${gateway.token}`),
      await send(`X-Xaas-Auth-Token: ${token}`, `X-Xaas-Auth-Token: ${gateway.token}`),
      await send(`X-Xaas-Auth-Token: ${token}`, 'X-Xaas-Auth-Token: x'),
      await send('X-Xaas-Auth-Token:', 'Authorization: Bearer'),
      await send(`X_Xaas_Auth_Token: ${token}`),
      await send(`X-Xaas-Auth-Token: ${'a'.repeat(65_536)}`),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 401, 401, 401, 401, 401, 431])
  })

  test('C5 a token that was ended is over, and the others of the account are not', async () => {
    const [first, second] = [await logonAs(gateway, account), await logonAs(gateway, account)]
    expect((await gateway.request('POST', '/logoff', { token: first })).status).toBe(204)
    expect(await statusWith({ 'x-xaas-auth-token': first })).toBe(401)
    expect(await statusWith({ 'x-xaas-auth-token': second })).toBe(200)
    expect((await gateway.request('POST', '/logoff', { token: first })).status).toBe(401)
    await gateway.request('DELETE', '/manage/tokens?account=robin')
    expect(await statusWith({ 'x-xaas-auth-token': second })).toBe(401)
    token = await logonAs(gateway, account)
  })

  test('C6 a token in the address is not read', async () => {
    for (const name of ['x-xaas-auth-token', 'X-Xaas-Auth-Token', 'access_token', 'token', 'authorization']) {
      expect(await statusWith({}, `/graphql?${name}=${token}`)).toBe(401)
    }
    const cookie = `x-xaas-auth-token=${token}; access_token=${token}`
    expect(await statusWith({ cookie })).toBe(401)
  })

  test('C8 a key is no token, and a token is no key', async () => {
    expect(await statusWith({ 'x-xaas-auth-token': account.apiKey })).toBe(401)
    expect(await statusWith({ authorization: `Bearer ${account.apiKey}` })).toBe(401)
    expect(await statusWith({ 'x-xaas-api-key': account.apiKey })).toBe(401)
    expect(await statusWith({ 'x-xaas-api-key': token })).toBe(401)
    const { username, password } = account
    const logon = await gateway.request('POST', '/logon', {
      body: { username, password },
      headers: { 'x-xaas-api-key': token },
      token,
    })
    expect(logon.status).toBe(401)
    const basic = Buffer.from(`${username}:${password}`).toString('base64')
    expect(await statusWith({ authorization: `Basic ${basic}` })).toBe(401)
  })

  test('C2 C5 a token is known by its end, and its list shows whose it is and its hash, and no token', async () => {
    const { body } = await gateway.request('GET', '/manage/tokens?account=robin')
    expect(body).toEqual([
      {
        username: 'robin',
        hash: expect.stringMatching(/^[\w-]{43}$/),
        created: expect.any(String),
        expire: expect.any(String),
      },
    ])
    const who = await gateway.request('GET', '/whoami', { token })
    expect(who.body).toMatchObject({ username: 'robin', expire: (body as { expire: string }[])[0]?.expire })
  })
})
