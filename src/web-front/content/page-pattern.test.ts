import { expect, test } from 'vitest'
import { pageMatcher } from './page-pattern.ts'

test.each([
  [['/'], '/', {}],
  [['/'], '/a', undefined],
  [['/tenants/:name'], '/tenants/acme', { name: 'acme' }],
  [['/tenants/:name'], '/tenants/acme/', { name: 'acme' }],
  [['/tenants/:name'], '/tenants', undefined],
  [['/app/*'], '/app', {}],
  [['/app/*'], '/app/a/b', {}],
  [['/app/*'], '/app/a/b.js', undefined],
  [['/:a/:b', '/x/y'], '/x/y', { a: 'x', b: 'y' }],
])('%j at %s is %j', (patterns, path, parameters) => {
  expect(pageMatcher(patterns)(path)).toEqual(parameters)
})

test.each(['/(a+)+$', '/(a|a)*b', '/.+', '/[a-z]', '/a{1,1000}'])(
  'E2 %s means itself and nothing else',
  (pattern) => {
    const match = pageMatcher([pattern])
    const others = [`/${'a'.repeat(50_000)}!`, '/aaaa', '/b', '/a']
    expect([pattern, ...others].map((path) => match(path))).toEqual([{}, ...others.map(() => undefined)])
  },
)
