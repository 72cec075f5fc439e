import { describe, expect, test } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import type { AppError } from '../../errors/app-error.ts'
import { type ApiRoute, apiRouteSchema } from './api-route.ts'
import { compileApiRoutes } from './api-routes.ts'

const route = (path: string, scope: ApiRoute['scope'] = 'public', methods = ['GET']): ApiRoute => ({
  name: path,
  path,
  methods,
  scope,
})

/** The route that answers, when all of them lead elsewhere. */
const answering = (routes: readonly ApiRoute[], method: string, path: string) =>
  compileApiRoutes(routes.map((one) => ({ ...one, target: 'http://127.0.0.1:3000' }))).decide(
    method,
    path,
    false,
  ).upstreamRoute

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
    expect(answering([route(pattern)], 'GET', path) !== undefined).toBe(expected)
  })

  test.each([
    [['GET'], 'GET', true],
    [['GET'], 'HEAD', true],
    [['HEAD'], 'GET', false],
    [['GET'], 'POST', false],
    [['GET'], 'GETX', false],
  ])('methods %j on %s: %s', (methods, method, expected) => {
    const routes = [route('/x', 'public', methods)]
    expect(answering(routes, method, '/x') !== undefined).toBe(expected)
  })
})

describe('of several routes the one that says most decides', () => {
  test.each([
    ['a literal over a variable', [route('/a/:x'), route('/a/b', 'protected')], '/a/b', '/a/b'],
    ['a variable over the rest', [route('/a/*'), route('/a/:x', 'protected')], '/a/b', '/a/:x'],
    ['the longer over the rest', [route('/a/*', 'protected'), route('/a/b/*')], '/a/b/c', '/a/b/*'],
    ['the left-most literal', [route('/:x/c'), route('/a/:y')], '/a/c', '/a/:y'],
    ['the protected of two alike', [route('/a/:x'), route('/a/:y', 'protected')], '/a/b', '/a/:y'],
    [
      'the one with conditions of two alike',
      [route('/a/:x'), { ...route('/a/:y'), rows: [] }],
      '/a/b',
      '/a/:y',
    ],
    [
      'the protected before it',
      [{ ...route('/a/:x'), rows: [] }, route('/a/:y', 'protected')],
      '/a/b',
      '/a/:y',
    ],
  ])('%s', (_name, routes, path, deciding) => {
    expect(answering(routes, 'GET', path)?.path).toBe(deciding)
    expect(answering(routes.toReversed(), 'GET', path)?.path).toBe(deciding)
  })
})

describe('a public route with conditions', () => {
  const open = { ...route('/apis/ports', 'public', ['GET', 'POST']), rows: [] }
  test.each([
    ['opens records', [open], '/apis/ports', true, true],
    ['no API of another server', [open], '/apis/ports', false, false],
    ['nothing else of the gateway', [{ ...open, path: '/:page' }], '/docs', true, false],
    ['GraphQL', [{ ...open, path: '/:page' }], '/graphql', true, true],
    ['nothing for another method', [{ ...open, methods: ['POST'] }], '/apis/ports', true, false],
    [
      'and closes what is less specific',
      [{ ...route('/:page') }, { ...open, path: '/docs' }],
      '/docs',
      true,
      false,
    ],
  ])('%s', (_name, routes, path, isOwn, isOpen) => {
    const { opens } = compileApiRoutes(routes).decide('GET', path, isOwn)
    expect(opens !== undefined).toBe(isOpen)
  })

  test.each([
    [
      { rows: [] },
      '/rows',
      '"rows" needs the scope "public". What accounts may do with records, their roles say.',
    ],
    [
      { scope: 'public', target: 'http://127.0.0.1:3000', fields: {} },
      '/fields',
      '"fields" is for records of the gateway itself. A route with a "target" leads to another server.',
    ],
    [{ scope: 'public', set: { a: {} } }, '/set/a', expect.stringMatching(/^Write a text/)],
  ])('%j is refused elsewhere', (more, pointer, detail) => {
    expect(mistakesIn({ name: 'n', path: '/apis/ports', methods: ['GET'], ...more })).toEqual([
      { pointer, detail },
    ])
  })
})

describe('what holds for a request', () => {
  const target = 'http://127.0.0.1:3000'
  const upstream: ApiRoute = { ...route('/shop/*', 'protected', ['GET', 'POST']), target }
  const open: ApiRoute = { ...route('/shop/*'), name: 'open', target }
  const scopeOnly = route('/shop/*')
  test.each([
    ['an upstream where nothing else is', [upstream], 'GET', false, 'protected', '/shop/*', []],
    ['no upstream where the gateway answers', [open], 'GET', true, 'protected', undefined, []],
    ['the scope of our own API', [scopeOnly], 'GET', true, 'public', undefined, []],
    ['the scope that says more', [upstream, route('/shop/a')], 'GET', false, 'public', '/shop/*', []],
    ['the protected of two alike', [open, upstream], 'GET', false, 'protected', '/shop/*', []],
    [
      'the other methods of an upstream',
      [open, upstream],
      'DELETE',
      false,
      'protected',
      undefined,
      ['GET', 'POST', 'HEAD'],
    ],
  ] as const)('%s', (_name, routes, method, isOwn, scope, path, otherMethods) => {
    const decision = compileApiRoutes(routes).decide(method, '/shop/a', isOwn)
    expect([decision.opens !== undefined, decision.upstreamRoute?.path, decision.otherMethods]).toEqual([
      scope === 'public',
      path,
      otherMethods,
    ])
  })

  test('of two routes that say the same the first by name answers', () => {
    const routes = ['b', 'a'].map((name) => ({ ...upstream, name }))
    for (const list of [routes, routes.toReversed()])
      expect(answering(list, 'GET', '/shop/x')?.name).toBe('a')
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
    expect(mistakesIn({ name: 'a/b', path: '/x', methods: ['GETT'], scope: 'open', tarket: 'x' })).toEqual([
      { pointer: '/name', detail: 'A name must not hold a slash or backslash: it is part of a path.' },
      {
        pointer: '/methods/0',
        detail:
          '"GETT" is not a method that can be allowed; did you mean "GET". The methods are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.',
      },
      { pointer: '/scope', detail: 'This must be one of "public", "protected".' },
      {
        pointer: '/tarket',
        detail:
          'The key "tarket" is not known here; did you mean "target". Known keys are name, path, methods, scope, target, prefix, timeout, health, headers, rewrite, rows, fields, set.',
      },
    ])
  })
})

describe('where a route leads is read', () => {
  const shop = { name: 'shop', path: '/shop/*', methods: ['GET'], scope: 'protected' }

  test('with what was left out', () => {
    const document = { ...shop, target: 'http://127.0.0.1:3000', health: { path: '/up' } }
    expect(parseDocument(apiRouteSchema, document)).toEqual({
      ...document,
      timeout: { connect: 5, response: 30, idle: 300 },
      health: { path: '/up', interval: 10, timeout: 5, threshold: 2 },
    })
  })

  test.each([
    'http://127.0.0.1',
    'http://127.0.0.1:3000/',
    'https://orders.internal:8443/v1/x%20y',
    'http://[::1]:3000',
  ])('target %s', (target) => {
    expect(parseDocument(apiRouteSchema, { ...shop, target })).toMatchObject({ target })
  })

  const start = 'A target is an address that starts with http:// or https://, as in http://127.0.0.1:3000.'
  const address =
    'A target is the address of a server and, if need be, a path: http://127.0.0.1:3000 or https://orders.internal/v1.'
  const query = 'A target must not hold a query or fragment; a request brings its own query.'
  const segments = 'The path of a target must not hold empty segments, dot segments or encoded slashes.'
  test.each([
    ['', start],
    ['127.0.0.1:3000', start],
    ['ftp://127.0.0.1', start],
    ['file:///etc/passwd', start],
    ['http:127.0.0.1', start],
    ['//evil.example', start],
    ['http://user:secret@127.0.0.1', 'A target must not hold a username or password.'],
    ['http://user@127.0.0.1', 'A target must not hold a username or password.'],
    ['http://127.0.0.1/?a=1', query],
    ['http://127.0.0.1/#a', query],
    ['http://', address],
    ['http:///path', address],
    ['http://127.0.0.1:99999', address],
    ['http://a b', address],
    ['http://a\\b', address],
    ['http://a/b\nc', address],
    ['http://127.0.0.1/a/../b', segments],
    ['http://127.0.0.1/a//b', segments],
    ['http://127.0.0.1/a%2fb', segments],
    ['http://127.0.0.1/%2e%2e', segments],
    ['http://127.0.0.1/%', segments],
  ])('target %j is refused', (target, detail) => {
    expect(mistakesIn({ ...shop, target })).toEqual([{ pointer: '/target', detail }])
    expect(mistakesIn({ ...shop, target: ['http://a', target] })).toEqual([{ pointer: '/target/1', detail }])
  })

  const target = 'http://127.0.0.1:3000'
  const prefix =
    'A prefix is the front of the path, in whole segments without ":" and "*": /shop for /shop/*.'
  test.each([
    [{ target: [] }, '/target', 'This must have at least 1 in it.'],
    [{ target: [target, target] }, '/target', 'A target may be in the list only once.'],
    [{ target: 5 }, '/target', 'A text or a list is expected here, and a whole number was sent.'],
    [{ target, prefix: '/sho' }, '/prefix', prefix],
    [{ target, prefix: '/' }, '/prefix', prefix],
    [{ target, prefix: '/shop/' }, '/prefix', prefix],
    [{ target, prefix: '/shop/*' }, '/prefix', prefix],
    [{ target, prefix: 'shop' }, '/prefix', prefix],
    [{ prefix: '/shop' }, '/prefix', '"prefix" needs a "target".'],
    [{ timeout: {} }, '/timeout', '"timeout" needs a "target".'],
    [{ health: { path: '/' } }, '/health', '"health" needs a "target".'],
    [{ target, timeout: { response: 0 } }, '/timeout/response', 'This must be at least 0.05.'],
    [{ target, health: {} }, '/health/path', 'A text is required here.'],
    [{ target, health: { path: '/../x' } }, '/health/path', 'The path holds a dot segment.'],
    [{ target, health: { path: '/', interval: 0 } }, '/health/interval', 'This must be at least 0.05.'],
  ])('%j is refused', (more, pointer, detail) => {
    expect(mistakesIn({ ...shop, ...more })).toEqual([{ pointer, detail }])
  })
})

function mistakesIn(document: unknown) {
  try {
    return parseDocument(apiRouteSchema, document)
  } catch (error) {
    return (error as AppError).mistakes
  }
}

test('R2: what is open below a path is what is open at some segment', () => {
  const part = fc.constantFrom('apis', 'ports', ':id', 'a', 'b')
  const someRoute = fc.record({
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    hasRest: fc.boolean(),
    scope: fc.constantFrom('public' as const, 'protected' as const),
    method: fc.constantFrom('GET', 'POST'),
    isUpstream: fc.boolean(),
    rows: fc.constantFrom(undefined, []),
  })
  const segments = ['a', 'b', 'ports', 'apis', 'other']
  fc.assert(
    fc.property(fc.array(someRoute, { maxLength: 8 }), (routes) => {
      const compiled = compileApiRoutes(
        routes.map(({ parts, hasRest, scope, method, isUpstream, rows }, index) => ({
          name: `route${index}`,
          path: `/${[...parts, ...(hasRest ? ['*'] : [])].join('/')}`,
          methods: [method],
          scope,
          rows,
          ...(isUpstream ? { target: 'http://127.0.0.1:3000' } : {}),
        })),
      )
      for (const path of ['/apis', '/apis/ports', '/apis/ports/a']) {
        const opened = segments.flatMap(
          (segment) => compiled.opensAt('GET', `${path}/${segment}`)?.route.name ?? [],
        )
        const below = compiled.opensBelow('GET', path).map(({ route: { name } }) => name)
        expect(new Set(below)).toEqual(new Set(opened))
      }
    }),
    { numRuns: 2000 },
  )
})
