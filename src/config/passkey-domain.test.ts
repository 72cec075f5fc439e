import { expect, test } from 'vitest'
import { passkeyDomainOf, passkeyMistakes } from './passkey-domain.ts'

test('the domain is the host of the origins, or one above them', () => {
  expect(passkeyDomainOf({})).toBe(undefined)
  expect(passkeyDomainOf({ passkey_origins: ['http://localhost:8080'] })).toBe('localhost')
  const passkey_origins = ['https://app.example.org', 'https://api.example.org:8443']
  expect(passkeyDomainOf({ passkey_origins, passkey_domain: 'example.org' })).toBe('example.org')
  expect(passkeyMistakes({ passkey_origins, passkey_domain: 'example.org' })).toEqual([])
  expect(passkeyMistakes({ passkey_origins: ['http://localhost:8080', 'http://localhost:9000'] })).toEqual([])
})

test.each([
  [{ passkey_domain: 'example.org' }, 'passkey_domain: has no effect without passkey_origins'],
  [
    { passkey_origins: ['http://127.0.0.1:8080'] },
    'passkey_origins: browsers have no passkeys for network addresses, as in “http://127.0.0.1:8080”; use a name, such as “localhost”',
  ],
  [
    { passkey_origins: ['https://[::1]:8080'] },
    'passkey_origins: browsers have no passkeys for network addresses, as in “https://[::1]:8080”; use a name, such as “localhost”',
  ],
  [
    { passkey_origins: ['http://app.example.org'] },
    'passkey_origins: browsers have passkeys only for https, and for “localhost”, not for “http://app.example.org”',
  ],
  [
    { passkey_origins: ['https://app.example.org', 'https://api.example.org'] },
    'passkey_domain: “app.example.org” is neither the host of “https://api.example.org” nor a domain above it. Origins of different hosts need a passkey_domain above all of them',
  ],
  [
    { passkey_origins: ['https://notexample.org'], passkey_domain: 'example.org' },
    'passkey_domain: “example.org” is neither the host of “https://notexample.org” nor a domain above it. Origins of different hosts need a passkey_domain above all of them',
  ],
])('what browsers refuse is a mistake: %o', (options, mistake) => {
  expect(passkeyMistakes(options)).toEqual([mistake])
})
