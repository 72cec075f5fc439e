import { expect, test } from 'vitest'
import { redact } from './redact.ts'

const secret = [
  'password',
  'admin_password',
  'db_pass',
  'token',
  'X-Xaas-Auth-Token',
  'id_token',
  'key',
  'apiKey',
  'X-Xaas-Api-Key',
  'cookie',
  'Set-Cookie',
  'Authorization',
  'client_secret',
  'parameters',
]
const open = ['method', 'path', 'status', 'account', 'monkey', 'keys_found', 'compass_bearing', 'tableCount']

for (const name of secret) {
  test(`hides ${name}`, () =>
    expect(redact({ a: [{ [name]: 'x' }] })).toEqual({ a: [{ [name]: '(redacted)' }] }))
}
for (const name of open) {
  test(`shows ${name}`, () => expect(redact({ a: { [name]: 'x' } })).toEqual({ a: { [name]: 'x' } }))
}
