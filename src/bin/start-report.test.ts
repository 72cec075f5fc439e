import { expect, test } from 'vitest'
import { startReport } from './start-report.ts'

test('the first start shows what was made, once', () => {
  const text = startReport({
    version: '1.2.3',
    storage: 'data folder ./gatehouse-data',
    storagePresence: 'made',
    gateway: {
      address: 'http://127.0.0.1:9000',
      tableCount: 0,
      hasNewDatabase: false,
      bootstrapped: { username: 'admin', password: 'made-password', apiKey: 'made-key' },
    },
  })
  expect(text).toBe(`Gatehouse 1.2.3

Made     data folder ./gatehouse-data, 0 tables
Made     account with all rights; keep this, it is not shown again

  username  admin
  password  made-password
  API key   made-key

Gateway  http://127.0.0.1:9000

Next     log on; the response holds a token for the header X-Xaas-Auth-Token:
  curl -H 'X-Xaas-Api-Key: API_KEY' -H 'Content-Type: application/json' \\
    -d '{"username": "admin", "password": "PASSWORD"}' http://127.0.0.1:9000/logon`)
})

test.each([
  [{ admin_password: 'a' }, 'Ignored  “admin_password” is for a first start only; '],
  [
    { admin_password: 'a', admin_api_key: 'b' },
    'Ignored  “admin_password” and “admin_api_key” are for a first start only; ',
  ],
])('R11: a later start says what of the first it does not use: %j', (given, line) => {
  const base = { version: '1', storage: 'x', storagePresence: 'found', given } as const
  const gateway = { address: 'http://127.0.0.1:9000', tableCount: 1, hasNewDatabase: false }
  expect(startReport({ ...base, gateway })).toContain(
    `\n${line}“gatehouse account reset USERNAME” gives an account new secrets\n`,
  )
  const first = { ...gateway, bootstrapped: { username: 'admin' } }
  expect(startReport({ ...base, gateway: first })).not.toContain('Ignored')
})

test('a database that the start has created on its server is not called found', () => {
  const gateway = { address: 'http://127.0.0.1:9000', tableCount: 0, hasNewDatabase: true }
  const text = startReport({ version: '1', storage: 'database gatehouse', storagePresence: 'found', gateway })
  expect(text).toContain('\nMade     database gatehouse, 0 tables\n')
})

test('a later start shows what was found', () => {
  const text = startReport({
    version: '1.2.3',
    storage: 'database a.sqlite',
    storagePresence: 'found',
    gateway: { address: 'http://0.0.0.0:9000', tableCount: 1, hasNewDatabase: false },
    baseUrl: 'https://api.example.org/gw',
  })
  expect(text).toContain(
    'Found    database a.sqlite, 1 table\nGateway  http://0.0.0.0:9000, for clients https://api.example.org/gw\n',
  )
  // A call from this machine, which needs neither the proxy nor its path.
  expect(text).toContain(' http://127.0.0.1:9000/logon')
  expect(text).not.toContain('username  ')
})

test('what was given is not shown', () => {
  const text = startReport({
    version: '1.2.3',
    storage: 'database :memory:',
    storagePresence: 'made',
    gateway: {
      address: 'http://127.0.0.1:1',
      tableCount: 2,
      hasNewDatabase: false,
      bootstrapped: { username: 'admin' },
    },
  })
  expect(text).toContain('  password  (the one you gave)\n  API key   (the one you gave)\n')
})

test('with a web front, people go on in a browser', () => {
  const text = startReport({
    version: '1.2.3',
    storage: 'data folder d',
    storagePresence: 'found',
    gateway: { address: 'http://127.0.0.1:9000', tableCount: 2, hasNewDatabase: false },
    front: {
      baseUrl: 'http://localhost:8080',
      console: ['Console  http://localhost:8080/console'],
      callbacks: [],
      warnings: ['something should be mended.'],
    },
  })
  expect(text).toBe(`Gatehouse 1.2.3

Found    data folder d, 2 tables
Gateway  http://127.0.0.1:9000
Front    http://localhost:8080
Console  http://localhost:8080/console
Warning  something should be mended.

Next     open http://localhost:8080 and log in`)
})
