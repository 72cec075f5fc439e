import { describe, expect, test } from 'vitest'
import { readRequestTarget } from './request-target.ts'

describe('what is read', () => {
  test.each([
    ['/apis/ports', '/apis/ports', '/apis/ports', ''],
    ['/', '/', '/', ''],
    ['/apis/ports?x=/../y', '/apis/ports', '/apis/ports', '?x=/../y'],
    ['/apis/ports/a%20b', '/apis/ports/a b', '/apis/ports/a%20b', ''],
    ['/apis/ports/%70ort', '/apis/ports/port', '/apis/ports/port', ''],
    ['/apis/ports/%E6%97%A5', '/apis/ports/日', '/apis/ports/%E6%97%A5', ''],
    ['/apis/ports/', '/apis/ports/', '/apis/ports/', ''],
    ['/apis/%2574enants', '/apis/%74enants', '/apis/%2574enants', ''],
    ['/apis/ports/a%3Bb', '/apis/ports/a;b', '/apis/ports/a%3Bb', ''],
    ['/apis/ports/...', '/apis/ports/...', '/apis/ports/...', ''],
    ['http://evil.example/apis/ports?a=1', '/apis/ports', '/apis/ports', '?a=1'],
    ['http://evil.example', '/', '/', ''],
  ])('%s', (raw, path, encodedPath, query) => {
    expect(readRequestTarget(raw)).toEqual({ path, encodedPath, query })
  })
})

describe('what is refused, because two programs could read it differently', () => {
  test.each([
    '/apis/public/../tenants',
    '/apis/public/%2e%2e/tenants',
    '/apis/public/.%2e/tenants',
    '/apis/public/%2E./tenants',
    '/apis/public/..%2ftenants',
    '/apis/public/..%5ctenants',
    '/apis/public/..;/tenants',
    '/apis/public/%2e;/tenants',
    '/apis/public/..%3b/tenants',
    '/apis/;/tenants',
    '/apis/tenants;x=1',
    '//apis/tenants',
    '//evil.example/apis',
    '/apis//tenants',
    '/apis/./tenants',
    '/apis/tenants/.',
    '/apis/tenants/..',
    '/apis%2ftenants',
    '/apis\\tenants',
    '/apis%5Ctenants',
    '/apis/tenants%00',
    '/apis/tenants%0a',
    '/apis/tenants%7f',
    '/apis/tenants#/apis/ports',
    '/apis/tenants?x#y',
    '/apis/%',
    '/apis/%2',
    '/apis/%zz',
    '/apis/%c0%ae%c0%ae/tenants',
    '/apis/%ff',
    '/apis/%ed%a0%80',
    '/apis/tenänts',
    '/apis/ten ants',
    'apis/tenants',
    '*',
    '',
    'evil.example:443',
    'ftp://evil.example/apis/ports',
  ])('%s', (raw) => {
    expect(readRequestTarget(raw)).toEqual({ refused: expect.any(String) })
  })
})
