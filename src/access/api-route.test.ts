import { describe, expect, test } from 'vitest'
import type { AppError } from '../errors/app-error.ts'
import { parseDocument } from '../http/parse-document.ts'
import { type ApiRoute, apiRouteSchema, compileApiRoutes } from './api-route.ts'

const route = (path: string, scope: ApiRoute['scope'] = 'public', methods = ['GET']): ApiRoute => ({
  name: path,
  path,
  methods,
  scope,
})

describe('a path of a route matches', () => {
  test.each([
    ['/graphql', '/graphql', true],
    ['/graphql', '/graphql/', false],
    ['/graphql', '/graphqlX', false],
    ['/graphql', '/GraphQL', false],
    ['/apis/public', '/apis/public/x', false],
    ['/apis/:entity', '/apis/ports', true],
    ['/apis/:entity', '/apis/', false],
    ['/apis/:entity', '/apis/ports/p1', false],
    ['/apis/:entity/items', '/apis/ports/items', true],
    ['/files/*', '/files/a', true],
    ['/files/*', '/files/a/b/c', true],
    ['/files/*', '/files/', true],
    ['/files/*', '/files', false],
    ['/files/*', '/filesX/a', false],
    ['/a.c', '/abc', false],
    ['/a b', '/a b', true],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(compileApiRoutes([route(pattern)]).find('GET', path) !== undefined).toBe(expected)
  })

  test.each([
    [['GET'], 'GET', true],
    [['GET'], 'HEAD', true],
    [['HEAD'], 'GET', false],
    [['GET'], 'POST', false],
    [['GET'], 'GETX', false],
  ])('methods %j on %s: %s', (methods, method, expected) => {
    const routes = compileApiRoutes([route('/x', 'public', methods)])
    expect(routes.find(method, '/x') !== undefined).toBe(expected)
  })
})

describe('of several routes the one that says most decides', () => {
  test.each([
    ['a literal over a variable', [route('/a/:x'), route('/a/b', 'protected')], '/a/b', '/a/b'],
    ['a variable over the rest', [route('/a/*'), route('/a/:x', 'protected')], '/a/b', '/a/:x'],
    ['the longer over the rest', [route('/a/*', 'protected'), route('/a/b/*')], '/a/b/c', '/a/b/*'],
    ['the left-most literal', [route('/:x/c'), route('/a/:y')], '/a/c', '/a/:y'],
    ['the protected of two alike', [route('/a/:x'), route('/a/:y', 'protected')], '/a/b', '/a/:y'],
  ])('%s', (_name, routes, path, deciding) => {
    expect(compileApiRoutes(routes).find('GET', path)?.path).toBe(deciding)
    expect(compileApiRoutes(routes.toReversed()).find('GET', path)?.path).toBe(deciding)
  })
})

describe('a route is read', () => {
  test('with methods in upper case, each once, and protected when it does not say', () => {
    const document = { name: 'n', path: '/a/:id/*', methods: ['get', 'GET', 'Post'] }
    expect(parseDocument(apiRouteSchema, document)).toEqual({
      ...document,
      methods: ['GET', 'POST'],
      scope: 'protected',
    })
  })

  test.each([
    ['graphql', 'A path starts with a slash.'],
    ['', 'A path starts with a slash.'],
    ['/a//b', 'A path must not hold an empty segment.'],
    ['/a/../b', 'A path must not hold a dot segment.'],
    ['/a/..;x', 'A path must not hold a dot segment.'],
    ['/a*', 'A "*" may only be the whole last segment, as in /files/*.'],
    ['/*/a', 'A "*" may only be the whole last segment, as in /files/*.'],
    ['/:', 'A ":" starts the name of a variable segment, as in /ports/:id.'],
    ['/:a-b', 'A ":" starts the name of a variable segment, as in /ports/:id.'],
    ...['/a?x', '/a#x', '/a%2fb', '/a\\b', '/a\n'].map((path) => [
      path,
      'A path is written decoded and without query: it holds no control character, backslash, "?", "#" or "%".',
    ]),
    [`/${'a'.repeat(1000)}`, 'A path has at most 1000 characters.'],
    ...['/*', '/manage', '/manage/*', '/manage/roles', '/:a/*', '/:a/:b'].map((path) => [
      path,
      'A public route must not reach /manage, where roles and accounts are changed. Name the published paths, as in /apis/*.',
    ]),
  ])('%j is refused', (path, detail) => {
    expect(mistakesIn({ name: 'n', path, methods: ['GET'], scope: 'public' })).toEqual([
      { pointer: '/path', detail },
    ])
  })

  test('with every mistake named', () => {
    expect(mistakesIn({ name: 'a/b', path: '/x', methods: ['GETT'], scope: 'open', target: 'x' })).toEqual([
      { pointer: '/name', detail: 'A name must not hold a slash or backslash: it is part of a path.' },
      {
        pointer: '/methods/0',
        detail:
          '"GETT" is no method that can be allowed; did you mean "GET". There are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.',
      },
      { pointer: '/scope', detail: 'This must be one of "public", "protected".' },
      {
        pointer: '/target',
        detail: 'The key "target" is not known here. Known keys are name, path, methods, scope.',
      },
    ])
  })
})

function mistakesIn(document: unknown) {
  try {
    return parseDocument(apiRouteSchema, document)
  } catch (error) {
    return (error as AppError).mistakes
  }
}
