import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  actor,
  admin,
  type TemporaryAccess,
  temporaryAccess,
} from '../../../test/support/temporary-access.ts'
import { AppError } from '../../errors/app-error.ts'
import { problemOf } from '../../http/problem.ts'
import { openAccess } from '../access.ts'

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

test.each([undefined, ''])('a logon without a key names the header, whoever it is for', async (key) => {
  const { credentials } = await createAda()
  const expected = problemOf(
    new AppError('LOGON_REFUSED', {
      detail: 'The header X-Xaas-Api-Key is missing. Send the API key of the account in it.',
    }),
    'r',
  )
  for (const document of [credentials, { ...credentials, username: 'nobody' }]) {
    expect(await refusal(attempt(key, document))).toEqual(expected)
  }
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

  const settled = async (attempts: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(attempts)).map((outcome) =>
      outcome.status === 'fulfilled' ? 'right' : (outcome.reason as AppError).code,
    )
  const times = (count: number, work: (index: number) => Promise<unknown>) =>
    Array.from({ length: count }, (_, index) => work(index))

  test('R7 B5: 50 wrong ones at the same time are ten guesses, and those after them are refused', async () => {
    const { apiKey } = await createAda()
    const codes = await settled(times(50, () => from('192.0.2.1', 'ada', 'wrong', apiKey)))
    expect(codes.toSorted()).toEqual([
      ...Array(10).fill('LOGON_REFUSED'),
      ...Array(40).fill('LOGON_THROTTLED'),
    ])
  })

  test('R7: right ones are not refused for being many at once', async () => {
    const { apiKey } = await createAda()
    const codes = await settled(times(30, () => from('192.0.2.1', 'ada', 'sword and fish', apiKey)))
    expect(codes).toEqual(Array(30).fill('right'))
    expect(temporary.pauses).toEqual([])
  })

  test('R7: another node that guesses at the same time takes the worth of a right guess after the tenth', async () => {
    const { apiKey } = await createAda()
    const { store, clock } = temporary
    const isLate = Promise.withResolvers<void>()
    const other = await openAccess({
      store,
      tokenTtlSeconds: 3600,
      targetGuard: { refuses: () => false },
      now: () => clock.now,
      randomBytes,
      observe: () => {},
      pause: () => isLate.promise,
    })
    // Slowed down by failures at other addresses, the right one is under way when the pair is locked.
    await settled(times(11, (index) => from(`198.51.100.${index}`, 'ada', 'wrong', apiKey)))
    const right = settled([
      other.logon({
        apiKey,
        document: { username: 'ada', password: 'sword and fish' },
        address: '192.0.2.1',
        requestId: 'r',
      }),
    ])
    await settled(times(10, () => from('192.0.2.1', 'ada', 'wrong', apiKey)))
    isLate.resolve()
    expect(await right).toEqual(['LOGON_THROTTLED'])
  })

  test('R7 B7: of many names from one address is answered with 429 from the 101st on, and locks nobody', async () => {
    const { apiKey } = await createAda()
    const codes = await settled(
      times(100, (index) => from('192.0.2.1', `name${index}`, 'password123', 'none')),
    )
    expect(new Set(codes)).toEqual(new Set(['LOGON_REFUSED']))
    await expect(from('192.0.2.1', 'another', 'password123', 'none')).rejects.toMatchObject(throttled)
    await expect(from('192.0.2.1', 'ada', 'wrong', apiKey)).rejects.toMatchObject(throttled)
    await expect(from('192.0.2.1', 'ada', 'sword and fish', apiKey)).resolves.toBeDefined()
    expect(temporary.pauses).toEqual([])
  })

  test('R7: an account that is guessed at from many addresses is slowed down, and not locked', async () => {
    const { apiKey } = await createAda()
    for (let number = 0; number < 60; number += 1) {
      await from(`198.51.100.${number}`, 'ada', 'wrong', apiKey).catch(() => undefined)
    }
    await expect(from('192.0.2.1', 'ada', 'sword and fish', apiKey)).resolves.toBeDefined()
    expect(temporary.pauses).toEqual([...Array(50).keys()].map((index) => (index + 1) * 25))
    await expect(from('192.0.2.1', 'admin', admin.password, admin.apiKey)).resolves.toBeDefined()
  })

  test.each([
    [
      'one /64 network',
      (index: number) => `2001:db8:1:2::${index}`,
      '2001:db8:1:2:ffff::1',
      '2001:db8:1:3::1',
    ],
  ])('R7: the addresses of %s are one', async (_name, addressOf, same, other) => {
    const { apiKey } = await createAda()
    for (let index = 0; index < 10; index += 1) {
      await from(addressOf(index), 'ada', 'wrong', apiKey).catch(() => undefined)
    }
    await expect(from(same, 'ada', 'sword and fish', apiKey)).rejects.toMatchObject(throttled)
    await expect(from(other, 'ada', 'sword and fish', apiKey)).resolves.toBeDefined()
  })

  test('is forgotten when it counts no more', async () => {
    const { apiKey } = await createAda()
    await settled(times(5, () => from('192.0.2.1', 'ada', 'wrong', apiKey)))
    temporary.clock.advance(180)
    await from('192.0.2.1', 'ada', 'sword and fish', apiKey)
    const rows = await temporary.database.driver.read((connection) =>
      connection.query({ sql: 'select count(*) from gatehouse_logon_attempt', parameters: [] }),
    )
    expect(Number(rows[0]?.[0])).toBe(0)
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

describe('R7: a check of a logon for a service', () => {
  const check = (document: object) =>
    temporary.access.checkLogon({ document, actor: { ...actor, account: 'front' } })
  const ada = { username: 'ada', password: 'sword and fish', address: '192.0.2.1' }
  const throttled = { code: 'LOGON_THROTTLED' }

  test('needs no API key and says who it is', async () => {
    await createAda()
    expect(await check(ada)).toEqual({
      username: 'ada',
      browser: expect.stringMatching(/^[\w-]{65}$/),
      'x-xaas-auth-token': expect.stringMatching(/^ght_/),
      expire: expect.any(String),
      limited: false,
      role: expect.anything(),
      roles: expect.anything(),
    })
    expect(temporary.events.at(-1)).toEqual({
      kind: 'LogonSucceeded',
      account: 'ada',
      by: 'front',
      address: '192.0.2.1',
      requestId: 'r-1',
    })
  })

  test('locks the pair of account and address, but no browser that has logged in before', async () => {
    await createAda()
    const { browser } = await check(ada)
    for (let number = 0; number < 10; number += 1)
      await expect(check({ ...ada, password: 'wrong' })).rejects.toMatchObject({ code: 'LOGON_REFUSED' })
    await expect(check(ada)).rejects.toMatchObject(throttled)
    const other = { username: 'admin', password: admin.password, address: ada.address }
    await expect(check(other)).resolves.toBeDefined()
    await expect(check({ ...ada, address: '192.0.2.2' })).resolves.toBeDefined()
    expect(await check({ ...ada, browsers: ['x', browser] })).toMatchObject({ browser })
    await expect(check({ ...ada, browsers: ['x', changed(browser)] })).rejects.toMatchObject(throttled)
  })

  test('lets nobody guess by a browser that has logged in before, nor slows it down', async () => {
    await createAda()
    const { browser } = await check(ada)
    for (let number = 0; number < 60; number += 1)
      await check({ ...ada, password: 'wrong', address: `198.51.100.${number}` }).catch(() => undefined)
    const before = temporary.pauses.length
    await check({ ...ada, browsers: [browser] })
    expect(temporary.pauses).toHaveLength(before)
    const guess = { ...ada, password: 'wrong', browsers: [browser] }
    for (let number = 0; number < 10; number += 1) await check(guess).catch(() => undefined)
    await expect(check({ ...ada, browsers: [browser] })).rejects.toMatchObject(throttled)
    await expect(check(ada)).resolves.toBeDefined()
  })

  test('knows a browser for one account only, and until the password changes', async () => {
    await createAda()
    const { browser } = await check(ada)
    const asAdmin = { username: 'admin', password: admin.password, address: '192.0.2.7', browsers: [browser] }
    expect((await check(asAdmin)).browser).not.toBe(browser)
    await temporary.access.accounts.change('ada', { password: 'another pass phrase' }, actor)
    const again = await check({ ...ada, password: 'another pass phrase', browsers: [browser] })
    expect(again.browser).not.toBe(browser)
  })

  test('is slowed down where many names were tried at an address', async () => {
    await createAda()
    const tryName = (number: number) =>
      check({ username: `name${number}`, password: 'wrong', address: ada.address }).catch(() => undefined)
    await Promise.all(Array.from({ length: 100 }, (_, number) => tryName(number)))
    expect(temporary.pauses).toEqual([])
    for (let number = 100; number < 104; number += 1) await tryName(number)
    await expect(check(ada)).resolves.toBeDefined()
    expect(temporary.pauses).toEqual([25, 50, 75, 100])
  })

  test.each([['junk1'], [''], [undefined], [7]])('needs an address, and %j is none', async (address) => {
    await expect(check({ ...ada, address })).rejects.toMatchObject({
      code: 'DOCUMENT_INVALID',
      mistakes: [{ pointer: '/address' }],
    })
  })
})

/** A secret of the same length that is another one. */
function changed(secret: string): string {
  const middle = Math.floor(secret.length / 2)
  return `${secret.slice(0, middle)}${secret[middle] === 'A' ? 'B' : 'A'}${secret.slice(middle + 1)}`
}
