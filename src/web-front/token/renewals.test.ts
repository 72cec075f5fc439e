import { expect, test } from 'vitest'
import type { LoginProvider } from '../login/login-provider.ts'
import { MemorySessionStore } from '../session/memory-session-store.ts'
import type { Login } from '../session/session.ts'
import { createSessions } from '../session/sessions.ts'
import { createRenewals } from './renewals.ts'
import { withToken } from './token-generator.ts'

const now = () => new Date()
const login: Login = {
  provider: 'staff',
  strategy: 'form',
  account: { account_id: 'ada', properties: {} },
  credential: { accessToken: 'first' },
  renewals: 0,
}

/** A logged-in user, and a provider whose next token waits for `give`. */
async function loggedIn() {
  const store = new MemorySessionStore({ now, looseLimit: 10 })
  const sessions = createSessions({
    store,
    cookies: { secure: false },
    now,
    idleMs: 60_000,
    lifetimeMs: 60_000,
    cookieName: 'test',
  })
  const asked = Promise.withResolvers<void>()
  const token = Promise.withResolvers<string>()
  const revoked: string[] = []
  const provider: LoginProvider = {
    name: 'staff',
    label: 'Staff',
    strategyName: 'form',
    strategy: { kind: 'form' } as LoginProvider['strategy'],
    transparentTokens: true,
    revokesTokens: false,
    generator: {
      async generate() {
        asked.resolve()
        return { credential: { accessToken: await token.promise } }
      },
      async revoke(accessToken) {
        revoked.push(accessToken)
      },
    },
  }
  const renewals = createRenewals({ store, sessions, now, providerOf: () => provider })
  const { session } = await sessions.start({ page: { query: {}, params: {} }, login }, [])
  return { sessions, session, renewals, asked: asked.promise, give: token.resolve, revoked }
}

test('R6: a token that comes after the log-out is ended with those before it', async () => {
  const { sessions, session, renewals, asked, give, revoked } = await loggedIn()
  const renewed = renewals.renew(session)
  await asked
  expect((await sessions.end(session))?.login?.credential?.accessToken).toBe('first')
  give('second')
  expect(await renewed).toBeUndefined()
  expect(revoked.toSorted()).toEqual(['first', 'second'])
  expect(await sessions.reload(session)).toBeUndefined()
})

test('R6: who ends a session is told of the token that it has then', async () => {
  const { sessions, session } = await loggedIn()
  const token = { credential: { accessToken: 'second' } }
  await sessions.update(session, (content) => ({ ...content, login: withToken(login, token) }))
  const ended = await sessions.end(session)
  expect(ended?.login).toMatchObject({ credential: { accessToken: 'second' }, earlierTokens: ['first'] })
  expect(await sessions.end(session)).toBeUndefined()
})
