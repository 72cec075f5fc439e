import { describe, expect, test } from 'vitest'
import { compilePathPattern } from './path-pattern.ts'

function matches(regex: string, path: string): boolean {
  const pattern = compilePathPattern(regex)
  if (typeof pattern !== 'function') throw new Error(pattern.mistake)
  return pattern(path)
}

describe('a pattern matches the whole path or nothing', () => {
  test.each([
    ['/apis/ports', '/apis/ports', true],
    ['/apis/ports', '/apis/portsEVIL', false],
    ['/apis/ports', '/apis/ports/', false],
    ['/apis/ports', '/zzz/apis/ports', false],
    ['/apis/ports', '/apis/ports\n', false],
    ['/apis/ports', '/APIS/PORTS', false],
    ['/apis/ports$', '/apis/ports\n', false],
    ['/apis/ports|/apis/x', '/apis/portsEVIL', false],
    ['/apis/ports|/apis/x', '/zzz/apis/x', false],
    ['/apis/ports|/apis/x', '/apis/x', true],
    ['/apis/ports|', '/apis/tenants', false],
    ['/apis/ports/p1', '/apis/ports/p2', false],
    ['/apis/[^/]+', '/apis/ports/p1', false],
    ['^/apis/.*$', '/apis/ports', true],
    ['(?i)/apis', '/APIS', true],
    ['(?m)/apis$', '/apis\n/manage', false],
    ['.*', '/any/é', true],
    ['', '/', false],
  ])('%j on %j: %s', (regex, path, expected) => {
    expect(matches(regex, path)).toBe(expected)
  })
})

describe('what is no pattern is refused with what to do', () => {
  test.each([
    ['(', 'This is no regular expression in RE2 syntax: missing closing ) at character 1 ("(").'],
    ['/a)|(/b', 'This is no regular expression in RE2 syntax: unexpected ) at character 1 ("/a)|(/b").'],
    ['/a[b', 'This is no regular expression in RE2 syntax: missing closing ] at character 3 ("[b").'],
    ['a\\', expect.stringContaining('This is no regular expression in RE2 syntax: ')],
    ['\\Qa', expect.stringContaining('This is no regular expression in RE2 syntax: ')],
    ['(?=x)', expect.stringContaining('cannot look ahead or behind')],
    ['(?!x)', expect.stringContaining('cannot look ahead or behind')],
    ['(?<=x)y', expect.stringContaining('cannot look ahead or behind')],
    ['(?<!x)y', expect.stringContaining('cannot look ahead or behind')],
    ['(a)\\1', expect.stringContaining('cannot refer back to a group')],
    ['a*+', expect.stringContaining('cannot be atomic or possessive')],
    ['(?>a)', expect.stringContaining('cannot be atomic or possessive')],
    ['a'.repeat(1001), expect.stringContaining('at most 1000 characters, and this one has 1001')],
    ['(((a{10}){10}){10})', expect.stringContaining('too large')],
    ['(((a{1000}){1000}){1000})', expect.stringContaining('invalid repeat count')],
  ])('%s', (regex, mistake) => {
    expect(compilePathPattern(regex)).toEqual({ mistake })
  })
})

describe('a decision takes little time, whatever the pattern', () => {
  test.each(['^(a+)+$', '(a|a)*b', '(.*a){25}', '([a-z]+)*@', '(a|b)*a(a|b){120}c', '((a?){40}){6}b'])(
    '%s',
    (regex) => {
      const path = `/${'a'.repeat(16_000)}!`
      const start = performance.now()
      expect(matches(regex, path)).toBe(false)
      expect(performance.now() - start).toBeLessThan(250)
    },
  )
})
