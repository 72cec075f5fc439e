import { expect, test } from 'vitest'
import { requestTargets } from '../../test/security/request-targets.ts'
import { readRequestTarget } from './request-target.ts'

test.each([
  ['/b/a%2Fb', '/b/a%2Fb'],
  ['/b/a%2fb', '/b/a%2Fb'],
  ['/b/https%3A%2F%2Fa.example', '/b/https%3A%2F%2Fa.example'],
  ['/b/a%252Fb', '/b/a%252Fb'],
  ['/b/..%2Fa', undefined],
  ['/b/a%2F%2e%2e%2Fb', undefined],
  ['/b/a%2F..', undefined],
  ['/b/a%2F.;x', undefined],
  ['/b/a%2F%5cb', undefined],
  ['/b/a%2F%00', undefined],
  ['/b%2Fa', undefined],
  ['/other/a%2Fb', undefined],
])('where encoded slashes are allowed, %s is %s', (target, encodedPath) => {
  const reading = readRequestTarget(target, (path) => path.startsWith('/b/'))
  expect('refused' in reading ? undefined : reading.encodedPath).toBe(encodedPath)
})

test('an encoded slash is no slash of the path', () => {
  expect(readRequestTarget('/b/a%2Fb/c?x=%2F', () => true)).toEqual({
    path: '/b/a%2Fb/c',
    encodedPath: '/b/a%2Fb/c',
    query: '?x=%2F',
  })
})

test.each(requestTargets.map((verdict) => [JSON.stringify(verdict.target), verdict] as const))(
  '%s',
  (_name, verdict) => {
    const reading = readRequestTarget(verdict.target)
    if ('refused' in verdict) expect(reading).toEqual({ refused: expect.any(String) })
    else {
      expect(reading).toEqual({
        path: verdict.path,
        encodedPath: verdict.path.split('/').map(encodeURIComponent).join('/'),
        query: /\?.*$/.exec(verdict.target)?.[0] ?? '',
      })
    }
  },
)
