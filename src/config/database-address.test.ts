import { expect, test } from 'vitest'
import { databaseAddress } from './database-address.ts'

test.each([
  ['sqlite:/var/lib/store.sqlite', { product: 'sqlite', file: '/var/lib/store.sqlite' }],
  [
    'postgresql://ga%40te:p%3Aw@db.example.org:5433/store?schema=own&tls=true&pooler=transaction',
    {
      product: 'postgresql',
      host: 'db.example.org',
      port: 5433,
      user: 'ga@te',
      password: 'p:w',
      name: 'store',
      schema: 'own',
      tls: true,
      pooler: 'transaction',
    },
  ],
  [
    'mysql://root@[::1]/store',
    {
      product: 'mysql',
      host: '::1',
      port: undefined,
      user: 'root',
      password: undefined,
      name: 'store',
      schema: 'public',
      tls: false,
      pooler: 'auto',
    },
  ],
])('%s', (text, expected) => {
  expect(databaseAddress.parse(text)).toEqual(expected)
})

test.each([
  '',
  'sqlite:',
  'store.sqlite',
  'oracle://a@b/c',
  'mysql://host/name',
  'mysql://root@host',
  'mysql://root@host/name?ssl=1',
  'mysql://%@host/name',
  'mysql://root@host/name?pooler=none',
  'postgresql://root@host/name?pooler=',
  'postgresql://root@host/name?pooler=session',
])('%j is no address', (text) => {
  expect(databaseAddress.parse(text)).toBe(undefined)
})
