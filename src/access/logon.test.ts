import { beforeEach, describe, expect, test } from 'vitest'
import { actor, admin, type TemporaryAccess, temporaryAccess } from '../../test/support/temporary-access.ts'
import { AppError } from '../errors/app-error.ts'
import { problemOf } from '../http/problem.ts'

let temporary: TemporaryAccess
beforeEach(async () => {
  temporary = await temporaryAccess()
})

function attempt(apiKey: string | readonly string[] | undefined, document: unknown) {
  return temporary.access.logon({ apiKey, document, address: '192.0.2.9', requestId: 'r-9' })
}

async function createAda(fields: object = {}) {
  const { access } = temporary
  const authorities = [
    { regex: '/apis/ports', methods: ['GET'] },
    { regex: '/a|/b', methods: ['POST'] },
  ]
  await access.roles.create({ name: 'reader', authorities }, actor)
  await access.roles.create({ name: 'writer', authorities: [{ regex: '/w$', methods: ['PUT'] }] }, actor)
  const document = { username: 'ada', password: 'sword and fish', role: ['reader', 'writer'], ...fields }
  const { api_key } = await access.accounts.create(document, actor)
  return { apiKey: api_key, credentials: { username: 'ada', password: 'sword and fish' } }
}

describe('a logon answers', () => {
  const reader = {
    name: 'reader',
    authorities: [
      { regex: '/apis/ports$', methods: ['GET'] },
      { regex: '(?:/a|/b)$', methods: ['POST'] },
    ],
  }
  const writer = { name: 'writer', authorities: [{ regex: '/w$', methods: ['PUT'] }] }

  test('the roles together and each, and the end of the token', async () => {
    const { apiKey, credentials } = await createAda()
    expect(await attempt(apiKey, credentials)).toEqual({
      'x-xaas-auth-token': expect.stringMatching(/^ght_[\w-]{43}$/),
      expire: '2026-11-21T07:00:00+00:00',
      limited: false,
      role: { name: 'reader', authorities: [...reader.authorities, ...writer.authorities] },
      roles: [reader, writer],
    })
  })

  test('no end past that of the account, and that it has one', async () => {
    const { apiKey, credentials } = await createAda({ expire_days: 1 })
    temporary.clock.advance(86_400 - 10)
    expect(await attempt(apiKey, credentials)).toMatchObject({
      expire: '2026-11-22T06:00:00+00:00',
      limited: true,
    })
  })

  test('to a name in another Unicode form', async () => {
    const { access } = temporary
    const document = { username: 'Zoe\u0308', password: 'sword and fish', role: 'admin' }
    const { api_key } = await access.accounts.create(document, actor)
    await expect(
      attempt(api_key, { username: 'Zo\u00eb', password: 'sword and fish' }),
    ).resolves.toBeDefined()
  })
})

test('B1 B2 everything that is wrong with key, name or password is answered alike', async () => {
  const { apiKey, credentials } = await createAda({ expire_days: 1 })
  const adminCredentials = { username: 'admin', password: admin.password }
  const attempts: readonly (readonly [string, string | readonly string[] | undefined, object])[] = [
    ['no key', undefined, credentials],
    ['an empty key', '', credentials],
    ['a wrong key', `ghk_${'A'.repeat(43)}`, credentials],
    ['two keys', [apiKey, apiKey], credentials],
    ['the key of another account', apiKey, adminCredentials],
    ['another account with this key', admin.apiKey, credentials],
    ['a wrong password', apiKey, { ...credentials, password: 'Sword and fish' }],
    ['an empty password', apiKey, { ...credentials, password: '' }],
    ['a huge password', apiKey, { ...credentials, password: 'x'.repeat(100_000) }],
    ['an unknown name', apiKey, { ...credentials, username: 'nobody' }],
    ['a name in another case', apiKey, { ...credentials, username: 'ADA' }],
    ['a name with a blank', apiKey, { ...credentials, username: 'ada ' }],
    ['a name of the language', apiKey, { ...credentials, username: '__proto__' }],
    ['a name like SQL', apiKey, { ...credentials, username: "ada' or '1'='1" }],
  ]
  const expected = problemOf(new AppError('LOGON_REFUSED'), 'r')
  for (const [name, key, document] of attempts) {
    expect(await refusal(attempt(key, document)), name).toEqual(expected)
  }
  temporary.clock.advance(86_400)
  expect(await refusal(attempt(apiKey, credentials)), 'an account that has ended').toEqual(expected)
  expect(temporary.events.filter(({ kind }) => kind === 'LogonRefused')).toHaveLength(attempts.length + 1)
})

test('a body that is no logon is refused with what is expected', async () => {
  await expect(attempt(admin.apiKey, { username: 'admin', pasword: 'x' })).rejects.toMatchObject({
    code: 'DOCUMENT_INVALID',
    mistakes: [
      { pointer: '/password', detail: 'A text is required here.' },
      {
        pointer: '/pasword',
        detail:
          'The key "pasword" is not known here; did you mean "password". Known keys are username, password.',
      },
    ],
  })
})

test('a new API key ends the old one', async () => {
  const { apiKey, credentials } = await createAda()
  const renewed = await temporary.access.apiKeys.renew('ada', actor)
  await expect(attempt(apiKey, credentials)).rejects.toMatchObject({ code: 'LOGON_REFUSED' })
  await expect(attempt(renewed.api_key, credentials)).resolves.toBeDefined()
})

test('B10 B11 logons are told to the observer, without a secret; nothing that is kept holds one', async () => {
  const { apiKey, credentials } = await createAda()
  const answer = await attempt(apiKey, credentials)
  const base = { account: 'ada', address: '192.0.2.9', requestId: 'r-9' }
  expect(temporary.events.at(-1)).toEqual({ kind: 'LogonSucceeded', ...base })

  const { driver } = temporary.database
  const names = await driver.read((connection) =>
    connection.query({ sql: "select name from sqlite_schema where type = 'table'", parameters: [] }),
  )
  const dump = await driver.read((connection) =>
    Promise.all(names.map(([name]) => connection.query({ sql: `select * from ${name}`, parameters: [] }))),
  )
  const everything = JSON.stringify([dump, temporary.events])
  for (const secret of [
    apiKey,
    credentials.password,
    answer['x-xaas-auth-token'],
    admin.password,
    admin.apiKey,
  ]) {
    expect(everything).not.toContain(secret)
  }
})

async function refusal(logon: Promise<unknown>): Promise<object> {
  try {
    return { answered: await logon }
  } catch (error) {
    if (error instanceof AppError) return problemOf(error, 'r')
    throw error
  }
}

describe('guessing', () => {
  const throttled = { code: 'LOGON_THROTTLED', headers: { 'retry-after': '60' } }
  const from = (address: string, username: string, password: string, apiKey: string) =>
    temporary.access.logon({ apiKey, document: { username, password }, address, requestId: 'r' })

  test('B4 B6 ends at the eleventh wrong logon of a name from an address, for the right password, too', async () => {
    const { apiKey } = await createAda()
    for (let number = 0; number < 10; number += 1) {
      await expect(from('192.0.2.1', 'ada', 'wrong', apiKey)).rejects.toMatchObject({ code: 'LOGON_REFUSED' })
    }
    await expect(from('192.0.2.1', 'ada', 'wrong', apiKey)).rejects.toMatchObject(throttled)
    await expect(from('192.0.2.1', 'ada', 'sword and fish', apiKey)).rejects.toMatchObject(throttled)
    await expect(from('192.0.2.2', 'ada', 'sword and fish', apiKey)).resolves.toMatchObject({
      limited: false,
    })
    temporary.clock.advance(59)
    await expect(from('192.0.2.1', 'ada', 'sword and fish', apiKey)).rejects.toMatchObject({
      headers: { 'retry-after': '1' },
    })
    temporary.clock.advance(1)
    await expect(from('192.0.2.1', 'ada', 'sword and fish', apiKey)).resolves.toMatchObject({
      limited: false,
    })
  })

  test('B5 is counted when it comes at the same time', async () => {
    const { apiKey } = await createAda()
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => from('192.0.2.1', 'ada', 'wrong', apiKey)),
    )
    const codes = answers.map((answer) => answer.status === 'rejected' && (answer.reason as AppError).code)
    expect(codes.filter((code) => code === 'LOGON_THROTTLED').length).toBeGreaterThanOrEqual(10)
  })

  test('B7 of many names from one address ends, too', async () => {
    for (let number = 0; number < 100; number += 1) {
      await from('192.0.2.1', `name${number}`, 'password123', 'none').catch(() => undefined)
    }
    await expect(from('192.0.2.1', 'another', 'password123', 'none')).rejects.toMatchObject(throttled)
  })

  test('does not count logons that succeed', async () => {
    const { apiKey } = await createAda()
    for (let number = 0; number < 12; number += 1) {
      await expect(from('192.0.2.1', 'ada', 'sword and fish', apiKey)).resolves.toMatchObject({
        limited: false,
      })
    }
  })
})
