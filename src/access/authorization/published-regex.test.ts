import { expect, test } from 'vitest'
import { compilePathPattern } from './path-pattern.ts'
import { publishedRegex } from './published-regex.ts'

test.each([
  ['/apis/ports', '/apis/ports$'],
  ['.*', '.*$'],
  ['', '$'],
  ['/apis/ports$', '/apis/ports$'],
  ['/price\\$', '/price\\$$'],
  ['/path\\\\$', '/path\\\\$'],
  ['/a|/b', '(?:/a|/b)$'],
  ['/a|/b$', '(?:/a|/b$)$'],
  ['/(a|b)', '/(a|b)$'],
  ['/(a|b)$', '/(a|b)$'],
  ['/(a)|(b)', '(?:/(a)|(b))$'],
  ['/a\\|b', '/a\\|b$'],
  ['/[a|b]', '/[a|b]$'],
  ['/[]|]', '/[]|]$'],
  ['/[^]|]', '/[^]|]$'],
  ['/[$]', '/[$]$'],
  ['/[(]|/b', '(?:/[(]|/b)$'],
  ['/[[:alpha:](]|/b', '(?:/[[:alpha:](]|/b)$'],
  ['/\\(|/b', '(?:/\\(|/b)$'],
  ['/\\Qa|$\\E', '/\\Qa|$\\E$'],
  ['(?i)/a|/b', '(?:(?i)/a|/b)$'],
])('%s is published as %s', (regex, published) => {
  expect(publishedRegex(regex)).toBe(published)
  expect(compilePathPattern(published)).toBeTypeOf('function')
})
