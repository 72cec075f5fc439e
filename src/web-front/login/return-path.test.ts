import { describe, expect, test } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { returnPath } from './return-path.ts'

describe('a path of this origin is gone back to', () => {
  test.each([
    ['/', '/'],
    ['/a/b?c=d&e=f', '/a/b?c=d&e=f'],
    ['/a#part', '/a#part'],
    ['/a?x=https://evil.example', '/a?x=https://evil.example'],
    ['/t/caf%C3%A9', '/t/caf%C3%A9'],
    ['/authors', '/authors'],
  ])('%s', (wanted, expected) => {
    expect(returnPath(wanted, '/home')).toBe(expected)
  })
})

describe('what may lead elsewhere is not', () => {
  test.each([
    undefined,
    ['/a', '/b'],
    '',
    'a',
    'evil.example',
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '///evil.example',
    '////evil.example/%2e%2e',
    '/\\evil.example',
    '/\\/evil.example',
    '\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '/\u0000/evil.example',
    ' //evil.example',
    '/ /evil.example',
    '/%09/evil.example',
    '/%0a/evil.example',
    '/%0d%0aSet-Cookie:x=y',
    '/%2f/evil.example',
    '/%2fevil.example',
    '/%5cevil.example',
    '/.//evil.example',
    '/./evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/a//evil.example',
    '/;@evil.example',
    '/..;/evil.example',
    '/〱evil.example',
    '/\u2028evil.example',
    '/%ff',
    '/auth',
    '/auth/staff',
    '/logout',
    '/signout?x',
    `/${'a'.repeat(3000)}`,
  ])('%j', (wanted) => {
    expect(returnPath(wanted, '/home')).toBe('/home')
  })
})

test('whatever is asked for, a browser stays at this origin', () => {
  const pieces = fc.constantFrom(
    ...[
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2f',
      '%5c',
      '%09',
      '%2e',
      '\t',
      '\n',
      ' ',
      '@',
      ':',
      ';',
      '?',
      '#',
      '&',
      '=',
    ],
    ...['http:', 'javascript:', 'evil.example', 'a', '。', '\u0000', '%00', '%', '[::1]'],
  )
  const origin = 'https://app.example.org'
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const path = returnPath(parts.join(''), '/home')
      expect(path).toMatch(/^\/(?![/\\])/)
      expect(new URL(path, `${origin}/auth/staff/callback`).origin).toBe(origin)
    }),
    { numRuns: 5000 },
  )
})
