import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { actor, admin, temporaryAccess, tokenOf } from '../../../test/support/temporary-access.ts'
import { openAccess } from '../access.ts'
import type { RequestHeaders } from './authenticate.ts'

describe('the token of a request', () => {
  test('is taken from either header, and from both when they agree', async () => {
    const { access } = await temporaryAccess()
    const token = await tokenOf(access, admin)
    const spellings: RequestHeaders[] = [
      { 'x-xaas-auth-token': token },
      { authorization: `Bearer ${token}` },
      { authorization: `bearer  ${token}` },
      { 'x-xaas-auth-token': token, authorization: `Bearer ${token}` },
      { 'x-xaas-auth-token': token, authorization: 'Basic YTpi' },
    ]
    const callers = await Promise.all(spellings.map((headers) => access.authenticate(headers)))
    expect(callers.map(({ username }) => username)).toEqual(spellings.map(() => 'admin'))
  })

  test('C7 C8 is refused when it is anything else', async () => {
    const { access } = await temporaryAccess()
    const token = await tokenOf(access, admin)
    const other = await tokenOf(access, admin)
    const flipped = [...token].map((_, index) => {
      const changed = token[index] === 'A' ? 'B' : 'A'
      return token.slice(0, index) + changed + token.slice(index + 1)
    })
    const attempts: readonly (readonly [RequestHeaders, string])[] = [
      [{}, 'TOKEN_MISSING'],
      [{ 'x-xaas-auth-token': '' }, 'TOKEN_MISSING'],
      [{ authorization: 'Basic YTpi' }, 'TOKEN_MISSING'],
      [{ authorization: token }, 'TOKEN_MISSING'],
      [{ cookie: `x-xaas-auth-token=${token}` }, 'TOKEN_MISSING'],
      [{ 'x-xaas-api-key': token }, 'TOKEN_MISSING'],
      [{ authorization: 'Bearer %' }, 'TOKEN_INVALID'],
      [{ authorization: `Bearer ${token} x` }, 'TOKEN_INVALID'],
      [{ 'x-xaas-auth-token': admin.apiKey }, 'TOKEN_INVALID'],
      [{ 'x-xaas-auth-token': `${token}, ${token}` }, 'TOKEN_INVALID'],
      [{ 'x-xaas-auth-token': [token, token] }, 'TOKEN_INVALID'],
      [{ 'x-xaas-auth-token': token, authorization: `Bearer ${other}` }, 'TOKEN_INVALID'],
      [{ 'x-xaas-auth-token': ` ${token}` }, 'TOKEN_INVALID'],
      [{ 'x-xaas-auth-token': `${token}\n` }, 'TOKEN_INVALID'],
      [{ 'x-xaas-auth-token': 'x'.repeat(65_536) }, 'TOKEN_INVALID'],
      [{ 'x-xaas-auth-token': 'undefined' }, 'TOKEN_INVALID'],
      ...flipped.map((changed) => [{ 'x-xaas-auth-token': changed }, 'TOKEN_INVALID'] as const),
    ]
    for (const [headers, code] of attempts) {
      await expect(access.authenticate(headers), JSON.stringify(headers)).rejects.toMatchObject({
        code,
        headers: { 'www-authenticate': 'Bearer' },
      })
    }
  })
})

test('a token is good at a node that has not heard of its account yet', async () => {
  const { access, store, clock } = await temporaryAccess()
  const behind = await openAccess({
    store,
    tokenTtlSeconds: 3600,
    targetGuard: { refuses: () => false },
    now: () => clock.now,
    randomBytes,
    observe: () => {},
  })
  const ada = { username: 'ada', password: 'sword and fish' }
  const { api_key: apiKey } = await access.accounts.create({ ...ada, role: 'admin' }, actor)
  const headers = { 'x-xaas-auth-token': await tokenOf(access, { ...ada, apiKey }) }
  await expect(behind.authenticate(headers)).resolves.toMatchObject({ username: 'ada' })
  await access.accounts.remove('ada', actor)
  behind.forgetTokens()
  await expect(behind.authenticate(headers)).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
})

test('C2 a token is good until its end and no longer', async () => {
  const { access, clock } = await temporaryAccess()
  const headers = { 'x-xaas-auth-token': await tokenOf(access, admin) }
  clock.advance(3599)
  await expect(access.authenticate(headers)).resolves.toMatchObject({ username: 'admin' })
  clock.advance(1)
  await expect(access.authenticate(headers)).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
})

test('B13 B17 C5 the tokens of an account end with it, with a logoff, and with a new password', async () => {
  const { access } = await temporaryAccess()
  const password = 'sword and fish'
  const document = { username: 'ada', password, role: 'admin' }
  const { api_key: apiKey } = await access.accounts.create(document, actor)
  const logon = async (password: string) => {
    const headers = { 'x-xaas-auth-token': await tokenOf(access, { username: 'ada', password, apiKey }) }
    const caller = await access.authenticate(headers)
    return { headers, caller }
  }
  const isRefused = ({ headers }: { headers: RequestHeaders }) =>
    expect(access.authenticate(headers)).rejects.toMatchObject({ code: 'TOKEN_INVALID' })

  const first = await logon(password)
  await access.logoff(first.caller)
  await isRefused(first)

  const second = await logon(password)
  await access.accounts.change('ada', { password: 'another one' }, actor)
  await isRefused(second)

  const third = await logon('another one')
  await access.accounts.change('ada', { metadata: { a: 1 } }, actor)
  await access.authenticate(third.headers)
  await access.accounts.remove('ada', actor)
  await isRefused(third)
  await access.accounts.create(document, actor)
  await isRefused(third)
})
