import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { fc, seed } from '../../../test/support/fast-check.ts'
import { compilePathPattern } from './path-pattern.ts'

const numRuns = Number(process.env.TEST_CASES ?? 500)

/** Few characters, so that paths often match: of one, two and four bytes, with cases, a word's and no word's. */
const characters = ['/', 'a', 'b', 'A', '1', '-', 'é', 'É', 'ſ', 's', 'K', '日', '😀', '\n']
const character = fc.constantFrom(...characters)
const atom = fc.oneof(
  { weight: 8, arbitrary: character.map((text) => (text === '\n' ? '\\n' : text)) },
  fc.constantFrom('.', '[^/]', '[a-b]', '[^a]', '\\w', '\\W', '\\d', '\\pL', '\\PL', '[[:alpha:]]', '\\s'),
  fc.constantFrom('^', '$', '\\b', '\\B', '\\A', '\\z', '(?i)', '(?s)', '(?m)'),
)
const repeat = fc.constantFrom('', '', '', '*', '+', '?', '*?', '{2}', '{1,3}', '{0,1}')

const { regex } = fc.letrec<{ regex: string; piece: string }>((tie) => ({
  piece: fc
    .tuple(
      fc.oneof(
        { maxDepth: 3 },
        atom,
        tie('regex').map((inner) => `(?:${inner})`),
      ),
      repeat,
    )
    .map(([inner, times]) => (/^[\\^$(]/.test(inner) && !inner.startsWith('(?:') ? inner : inner + times)),
  regex: fc.oneof(
    { maxDepth: 4 },
    fc.array(tie('piece'), { maxLength: 5 }).map((pieces) => pieces.join('')),
    fc.tuple(tie('regex'), tie('regex')).map((sides) => sides.join('|')),
  ),
}))

test('random patterns decide on random paths as RE2 does', { timeout: 600_000 }, () => {
  const paths = fc.array(
    fc.array(character, { maxLength: 6 }).map((parts) => parts.join('')),
    { minLength: 10, maxLength: 30 },
  )
  let matching = 0
  const alike = fc.property(regex, paths, (pattern, candidates) => {
    const matches = compilePathPattern(pattern)
    if (typeof matches !== 'function') return
    const reference = RE2JS.compile(`^(?:${pattern})$`)
    const expected = candidates.filter((path) => reference.testExact(path))
    matching += expected.length
    expect(candidates.filter((path) => matches(path))).toEqual(expected)
  })
  fc.assert(alike, { seed, numRuns })
  // A test whose paths never match would say nothing.
  expect(matching).toBeGreaterThan(numRuns / 10)
})
