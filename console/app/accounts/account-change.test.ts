import { expect, test } from 'vitest'
import { changeOf, commandOfChange, editOf, membersOf } from './account-change.ts'

const robin = {
  username: 'robin',
  role: 'reader',
  expire_days: null,
  expire: null,
  disabled: false,
  metadata: { team: 'network' },
  created: '2027-01-31T09:30:00+00:00',
}
const guest = { ...robin, expire_days: 3, expire: '2027-02-03T09:30:00+00:00', metadata: {} }

test('an account that was not touched changes nothing', () => {
  expect(changeOf(robin, editOf(robin))).toEqual({})
  expect(changeOf(guest, editOf(guest))).toEqual({})
  expect(changeOf(robin, { ...editOf(robin), metadata: '{' })).toEqual({})
})

test('only what differs is sent, and can be changed back', () => {
  const edit = { roles: ['reader', 'writer'], expiry: 30, metadata: '' }
  const change = changeOf(robin, edit)
  expect(change).toEqual({ role: ['reader', 'writer'], expire_days: 30, metadata: {} })
  expect(membersOf(robin, change)).toEqual({
    role: 'reader',
    expire_days: null,
    expire: null,
    metadata: { team: 'network' },
  })
  expect(commandOfChange('robin', change)).toBe(
    `gatehouse account update robin --role reader,writer --expire_days 30 --metadata '{}'`,
  )
})

test('an end that has gone is brought back', () => {
  const change = changeOf(guest, { ...editOf(guest), expiry: 'never' })
  expect(change).toEqual({ expire_days: null })
  expect(commandOfChange('guest', change)).toBe('gatehouse account update guest --expire_days never')
  expect(membersOf(guest, change)).toEqual({ expire_days: 3, expire: guest.expire })
  expect(membersOf(guest, { role: 'writer' })).toEqual({ role: 'reader' })
})
