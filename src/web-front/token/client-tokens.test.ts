import { expect, test } from 'vitest'
import { AppError } from '../../errors/app-error.ts'
import { createClientTokens } from './client-tokens.ts'

/** Tokens of 40 s, on a clock that a test sets. */
function tokens() {
  const state = { seconds: 0, requests: 0, isAway: false }
  const now = () => new Date(state.seconds * 1000)
  const client = createClientTokens(async () => {
    state.requests += 1
    await Promise.resolve()
    if (state.isAway) throw new AppError('LOGIN_UNAVAILABLE')
    return {
      accessToken: `token-${state.requests}`,
      expires: new Date((state.seconds + 40) * 1000).toISOString(),
    }
  }, now)
  const current = async () => (await client.current()).accessToken
  return { state, client, current }
}

test('many calls at once share one token, which is renewed in its last quarter without waiting', async () => {
  const { state, current } = tokens()
  expect(new Set(await Promise.all(Array.from({ length: 50 }, current)))).toEqual(new Set(['token-1']))
  state.seconds = 29
  expect(await current()).toBe('token-1')
  expect(state.requests).toBe(1)
  state.seconds = 31
  expect(await current()).toBe('token-1')
  await expect.poll(current).toBe('token-2')
  expect(state.requests).toBe(2)
})

test('while the token endpoint is away, the token is used as long as it lasts', async () => {
  const { state, current } = tokens()
  await current()
  state.isAway = true
  state.seconds = 35
  for (let call = 0; call < 5; call += 1) expect(await current()).toBe('token-1')
  expect(state.requests).toBe(2)
  state.seconds = 41
  await expect(current()).rejects.toMatchObject({ code: 'LOGIN_UNAVAILABLE' })
  state.isAway = false
  expect(await current()).toMatch(/^token-/)
})

test('a token that was refused is replaced once, not again and again', async () => {
  const { state, client } = tokens()
  const first = await client.current()
  const both = await Promise.all([client.after(first), client.after(first)])
  expect(both.map(({ accessToken }) => accessToken)).toEqual(['token-2', 'token-2'])
  const second = await client.current()
  expect((await client.after(second)).accessToken).toBe('token-2')
  expect((await client.after(first)).accessToken).toBe('token-2')
  expect(state.requests).toBe(2)
})
