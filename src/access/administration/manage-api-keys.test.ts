import { beforeEach, describe, expect, test } from 'vitest'
import {
  actor,
  admin,
  type TemporaryAccess,
  temporaryAccess,
  tokenOf,
} from '../../../test/support/temporary-access.ts'

let temporary: TemporaryAccess
beforeEach(async () => {
  temporary = await temporaryAccess()
})

const create = (document: unknown) => temporary.access.apiKeys.create('admin', document, actor)
const logonWith = (apiKey: string) => tokenOf(temporary.access, { ...admin, apiKey })

test('a key that expires is taken until then, and listed after it', async () => {
  const { access, clock } = temporary
  const byDays = await create({ name: 'days', expire_days: 1 })
  const byMoment = await create({ name: 'moment', expires_at: '2026-11-21T08:00:00+01:00' })
  expect([byDays.expires_at, byMoment.expires_at]).toEqual([
    '2026-11-22T06:00:00+00:00',
    '2026-11-21T07:00:00+00:00',
  ])
  clock.advance(3599)
  await expect(logonWith(byMoment.api_key)).resolves.toBeDefined()
  clock.advance(1)
  await expect(logonWith(byMoment.api_key)).rejects.toMatchObject({ code: 'LOGON_REFUSED' })
  await expect(logonWith(byDays.api_key)).resolves.toBeDefined()
  expect((await access.apiKeys.list('admin')).map(({ name }) => name)).toEqual(['days', 'default', 'moment'])
})

test('the last use is written down once a minute', async () => {
  const { access, clock } = temporary
  const uses: unknown[] = []
  for (const seconds of [0, 59, 1]) {
    clock.advance(seconds)
    await logonWith(admin.apiKey)
    uses.push((await access.apiKeys.find('admin', 'default')).last_used)
  }
  expect(uses).toEqual([
    '2026-11-21T06:00:00+00:00',
    '2026-11-21T06:00:00+00:00',
    '2026-11-21T06:01:00+00:00',
  ])
})

test('the renewal of the first key leaves the others', async () => {
  const { api_key: other } = await create({ name: 'other' })
  const { api_key: renewed } = await temporary.access.apiKeys.renew('admin', actor)
  await expect(logonWith(admin.apiKey)).rejects.toMatchObject({ code: 'LOGON_REFUSED' })
  await expect(logonWith(other)).resolves.toBeDefined()
  await expect(logonWith(renewed)).resolves.toBeDefined()
})

describe('what is refused', () => {
  const inOneLine = (text: string) => ({
    mistakes: [{ pointer: text.split(' ')[0], detail: text.slice(text.indexOf(' ') + 1) }],
  })
  test.each([
    [{}, '/name A text is required here.'],
    [{ name: '' }, '/name A name has 1 to 200 characters, and this one has 0.'],
    [{ name: 'a/b' }, '/name A name must not hold a slash or backslash: it is part of a path.'],
    [{ name: 'a', expire_days: 0 }, '/expire_days This must be at least 1.'],
    [
      { name: 'a', expire_days: 1.5 },
      '/expire_days A whole number is expected here, and a fraction was sent.',
    ],
    [{ name: 'a', expires_at: '2026-11-21T06:00:00' }, '/expires_at This time has passed.'],
    [
      { name: 'a', expires_at: 'tomorrow' },
      '/expires_at A date and time such as "2027-01-31T09:30:00" (UTC) or "2027-01-31T10:30:00+01:00" is expected here.',
    ],
    [
      { name: 'a', expires_at: '2027-01-01T00:00:00', expire_days: 1 },
      '/expires_at Give "expire_days" or "expires_at", not both.',
    ],
    [
      { name: 'a', api_key: 'mine' },
      '/api_key The key "api_key" is not known here. Known keys are name, expire_days, expires_at.',
    ],
  ])('%j', async (document, mistake) => {
    await expect(create(document)).rejects.toMatchObject({ code: 'DOCUMENT_INVALID', ...inOneLine(mistake) })
  })
})
