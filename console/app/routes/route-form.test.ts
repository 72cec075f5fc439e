import { expect, test } from 'vitest'
import { emptyForm, formOf, routeOf } from './route-form.ts'

test('a route passes through the form unchanged', () => {
  const routes = [
    { name: 'open', path: '/graphql', methods: ['POST'], scope: 'public' as const },
    { name: 'one', path: '/shop/*', methods: ['GET'], scope: 'protected' as const, target: 'http://a' },
    {
      name: 'two',
      path: '/shop/*',
      methods: ['GET', 'PUT'],
      scope: 'protected' as const,
      target: ['http://a', 'http://b'],
      prefix: '/shop',
      headers: { set: { authorization: { secret: 'shop' } } },
    },
    {
      name: 'open',
      path: '/apis/ports',
      methods: ['GET'],
      scope: 'public' as const,
      rows: [{ key: 'speed', op: '<=' as const, val: 3 }],
      fields: { read: ['id'] },
      set: { tenantId: 'a' },
    },
  ]
  expect(routes.map((route) => routeOf(formOf(route)))).toEqual(routes)
})

test('rows must be a JSON list', () => {
  expect(() => routeOf({ ...emptyForm, conditions: { unread: '[' } })).toThrow(SyntaxError)
})

test('other keys must be a JSON object', () => {
  expect(() => routeOf({ ...emptyForm, more: '[1]' })).toThrow(SyntaxError)
  expect(() => routeOf({ ...emptyForm, more: '{' })).toThrow(SyntaxError)
  expect(routeOf({ ...emptyForm, name: 'a', path: '/a', more: ' ' })).toEqual({
    name: 'a',
    path: '/a',
    methods: ['GET'],
    scope: 'protected',
  })
})
