import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { compilePathPattern } from './path-pattern.ts'

function matches(regex: string, path: string): boolean {
  const pattern = compilePathPattern(regex)
  if (typeof pattern !== 'function') throw new Error(pattern.mistake)
  return pattern(path)
}

describe('D4 D6 D14 a pattern matches the whole path or nothing', () => {
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

describe('D16 E3 what is no pattern is refused with what to do', () => {
  test.each([
    ['(', 'This is not a regular expression in RE2 syntax: missing closing ) at character 1 ("(").'],
    [
      '/apis/(ports',
      'This is not a regular expression in RE2 syntax: missing closing ) at character 7 ("(ports").',
    ],
    [
      '/(a)[(]\\((b|c',
      'This is not a regular expression in RE2 syntax: missing closing ) at character 10 ("(b|c").',
    ],
    ['/a)|(/b', 'This is not a regular expression in RE2 syntax: unexpected ) at character 3 (")|(/b").'],
    ['/a[b', 'This is not a regular expression in RE2 syntax: missing closing ] at character 3 ("[b").'],
    ['a\\', expect.stringContaining('This is not a regular expression in RE2 syntax: ')],
    ['\\Qa', expect.stringContaining('This is not a regular expression in RE2 syntax: ')],
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

describe('E1 what cannot be decided in one step for each character is refused', () => {
  test.each([
    '(a|b)*a(a|b){120}c',
    '((a?){40}){6}b',
    '(.*a.*b){60}c',
    '(.*a.{200})+c',
    '.*[^b].{230}\\pL',
    '(a|b)*a(a|b){16}',
  ])('%s', (regex) => {
    expect(compilePathPattern(regex)).toEqual({
      mistake: expect.stringContaining('needs too many states'),
    })
  })

  test.each(['^(a+)+$', '(a|a)*b', '(.*a){25}', '([a-z]+)*@', '(a*)*b', '(x+x+)+y', '[\\pL\\pN_-]+/\\pL+'])(
    'but not %s',
    (regex) => {
      expect(matches(regex, `/${'a'.repeat(50_000)}!`)).toBe(false)
    },
  )
})

describe('E1 it decides as RE2 does', () => {
  const regexes = [
    '/apis/ports(/.*)?',
    '/apis(/ports)?',
    '(/a)?',
    '/[^/]+/',
    '/(?i)Ports',
    '(?i)/straße|/K',
    '(?s)/.*',
    '/.*',
    '(?m)^/a$|(?m)/b$',
    '.*\\bports\\b.*',
    '.*\\Bort.*',
    '\\A/a\\z',
    '(?:^/a|/b$)',
    '/\\pL+|/\\p{Greek}',
    '/[^\\x00-\\x7f]*',
    '/[\\x{1f600}-\\x{1f64f}]+',
    '/日本?',
    '/a{2,4}b*?',
    '\\Q/a.b\\E',
    '/(a|ab)(c|bcd)(d*)',
    '/[[:alpha:]]+\\d*',
    '$',
    '^',
    '',
    '()|/x',
    '/\\x{10ffff}',
  ]
  const paths = [
    '',
    '/',
    '/a',
    '/A',
    '/b',
    '/aa',
    '/aab',
    '/aaaab',
    '/abcd',
    '/abcdd',
    '/apis',
    '/apis/',
    '/apis/ports',
    '/apis/port',
    '/apis/ports/',
    '/apis/ports/1',
    '/PORTS',
    '/ports',
    '/reports',
    '/my ports',
    '/ſtraße',
    '/STRASSE',
    '/straße',
    '/STRAßE',
    '/K',
    '/k',
    '/\u212a',
    '/é',
    '/α',
    '/日',
    '/日本',
    '/😀',
    '/😀😀',
    '/\u{10ffff}',
    '/a\n',
    '/a\n/b',
    '\n',
    '/a.b',
    '/axb',
    '/x',
    '/a1',
  ]
  test.each(regexes)('%s', (regex) => {
    const reference = RE2JS.compile(`^(?:${regex})$`)
    expect(paths.filter((path) => matches(regex, path))).toEqual(
      paths.filter((path) => reference.testExact(path)),
    )
  })
})

describe('whether a pattern meets a route', () => {
  const segment = { any: 'segment' } as const
  const rest = { any: 'rest' } as const

  test.each([
    ['/shop/.*', ['/shop/', rest], true],
    ['/shop', ['/shop/', rest], false],
    ['/shop/', ['/shop/', rest], true],
    ['/shop/a/b', ['/shop/', rest], true],
    ['.*', ['/shop/', rest], true],
    ['/shop/a/b', ['/shop/', segment], false],
    ['/shop/', ['/shop/', segment], false],
    ['/shop/[0-9]+/x', ['/shop/', segment, '/x'], true],
    ['/shop/[0-9]+/y', ['/shop/', segment, '/x'], false],
    ['/[a-z]+/x', ['/shop/', segment], true],
    ['/shop/a|/other', ['/other'], true],
    ['/other.*', ['/shop/', rest], false],
    ['/a/\\n', ['/a/', rest], false],
    ['/a/日/b', ['/a/', segment, '/', rest], true],
  ] as const)('%s and %j: %s', (regex, parts, isMet) => {
    const pattern = compilePathPattern(regex)
    if (typeof pattern !== 'function') throw new Error(pattern.mistake)
    expect(pattern.meets(parts)).toBe(isMet)
  })

  test('it is met wherever one of its paths matches', () => {
    const piece = fc.constantFrom('/', 'a', 'b', '[ab]', '[^/]', '.', '(/a)?', 'a*', '(a|/b)+', '/a/')
    const segments = ['a', 'b', 'ab', 'aa', 'c', 'ba', 'abab']
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.constantFrom('/a', '/b'), (pieces, end) => {
        const pattern = compilePathPattern(pieces.join(''))
        if (typeof pattern !== 'function') throw new Error(pattern.mistake)
        const some = segments.some((one) => pattern(`/${one}${end}`))
        if (some) expect(pattern.meets(['/', segment, end])).toBe(true)
        const deep = segments.some((one) => segments.some((two) => pattern(`${end}/${one}/${two}`)))
        if (deep) expect(pattern.meets([`${end}/`, rest])).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('R2: what is below a path', () => {
  const patternOf = (regex: string) => {
    const pattern = compilePathPattern(regex)
    if (typeof pattern !== 'function') throw new Error(pattern.mistake)
    return pattern
  }

  test.each([
    ['/apis/ports(/.*)?', true],
    ['/apis/ports', false],
    ['/apis/ports/', false],
    ['/apis/ports/[^/]+', true],
    ['/apis/ports/x\\d{3}', true],
    ['/apis/ports/a/b', false],
    ['/apis/.*/b', true],
    ['/apis/ports//', false],
    ['/apis/ports/[\\x00-\\x1f/]', false],
    ['/apis/[a-o]+/.*', false],
    ['.*', true],
    ['', false],
    ['/apis/ports/\\p{Han}', true],
    ['(/apis/ports){2}.*', false],
  ])('%s', (regex, isBelow) => {
    const pattern = patternOf(regex)
    expect(pattern.below('/apis/ports')).toBe(isBelow)
  })

  test('is found wherever some segment matches, and the rest of a path decides as the whole', () => {
    const piece = fc.constantFrom('/', 'a', 'b', '[ab]', '[^/]', '.', '(/a)?', 'a*', '(a|/b)+', '/a/')
    const segments = ['a', 'b', 'ab', 'aa', 'c', 'ba', 'abab']
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 6 }),
        fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 3 }),
        (pieces, path) => {
          const pattern = patternOf(pieces.join(''))
          const front = path.map((segment) => `/${segment}`).join('')
          const matching = segments.filter((segment) => pattern(`${front}/${segment}`))
          if (matching.length > 0) expect(pattern.below(front)).toBe(true)
          const after = pattern.after(`${front}/`)
          expect(segments.filter((segment) => after?.(segment) === true)).toEqual(matching)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
