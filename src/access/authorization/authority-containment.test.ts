import { describe, expect, test } from 'vitest'
import { type Authority, compileAuthority, patternOf } from './authority.ts'
import { Containment } from './authority-containment.ts'
import { knownMethods } from './method.ts'

const holding = (...regexes: readonly string[]) =>
  new Containment(regexes.map((regex) => compileAuthority({ regex, methods: ['GET', 'POST'] }, patternOf)))
const wanted = (regex: string, methods: readonly string[] = ['GET']) => ({ regex, methods })

describe('R9: an authority is held', () => {
  test.each([
    ['.*', ['.*']],
    ['[^x]*', ['.*']],
    ['(?s).*', ['.*']],
    ['/apis/ports', ['/apis/.*']],
    ['^/apis/ports$', ['^/apis/.*$']],
    ['/apis/ports(/.*)?', ['/apis/.*']],
    ['/apis/(ports|tenants)/[0-9]+', ['/apis/ports/\\d+', '/apis/tenants(/.*)?']],
    ['/a(b|c)*', ['/a', '/a[bc]+']],
    ['/a/.*', ['/a(/[^/]+)*/?']],
    ['a|/b', ['/b']],
    ['/[\\x00-\\x1f]', ['/b']],
    ['(?i)/ABC', ['/[aA][bB][cC]']],
    ['/(a|b)(a|b)(a|b)', ['/a.*', '/b.*']],
    ['/日本', ['/[^a-z]*']],
  ])('%s by %j', (regex, held) => {
    expect(holding(...held).notHeld(wanted(regex))).toBeUndefined()
  })

  test('HEAD goes with GET, and not the other way round', () => {
    const get = new Containment([compileAuthority({ regex: '/a', methods: ['GET'] }, patternOf)])
    const head = new Containment([compileAuthority({ regex: '/a', methods: ['HEAD'] }, patternOf)])
    expect(get.notHeld(wanted('/a', ['HEAD', 'GET']))).toBeUndefined()
    expect(head.notHeld(wanted('/a', ['HEAD', 'GET']))).toEqual({ method: 'GET', path: '/a' })
  })
})

describe('R9: an authority is not held, and a path shows it', () => {
  test.each([
    ['.*', ['/apis/.*'], '/'],
    ['/apis/.*', ['/apis/ports(/.*)?'], '/apis/'],
    ['/apis/ports.*', ['/apis/ports(/.*)?'], '/apis/portsa'],
    ['/a[a-z]', ['/a[a-w]', '/a[yz]'], '/ax'],
    ['/a/?', ['/a/.*'], '/a'],
    ['/a/b|/b', ['/a/.*'], '/b'],
    ['/a/*', ['/a/.*'], '/a'],
    ['/a/{0}b', ['/a/.*'], '/ab'],
    ['/a', [], '/a'],
    ['/a', ['x'], '/a'],
    ['/a\\pL', ['/a[[:ascii:]]'], '/aª'],
  ])('%s by %j: %s', (regex, held, path) => {
    expect(holding(...held).notHeld(wanted(regex))).toEqual({ method: 'GET', path })
    const missing = holding(...held).notHeld(wanted(regex))?.path ?? ''
    expect(patternOf(regex)(missing)).toBe(true)
    expect(held.some((one) => patternOf(one)(missing))).toBe(false)
  })

  test('a method that no authority allows', () => {
    expect(holding('.*').notHeld(wanted('/a', ['GET', 'DELETE']))).toEqual({ method: 'DELETE', path: '/a' })
  })
})

test('R9: what would take too long to compare counts as not held', () => {
  const hard = Array.from({ length: 12 }, (_, index) => `/.*[${'abcdefghijkl'[index]}].{4}`)
  const many = Array.from({ length: 400 }, (_, index) => `/.*${index}`)
  expect(holding(...hard).notHeld(wanted('/.*x.{4}'))).toMatchObject({ method: 'GET' })
  expect(holding(...many).notHeld(wanted('/.*5'))).toBeUndefined()
  expect(holding(...many).notHeld(wanted('/.*[5]'))).toEqual({ method: 'GET', path: undefined })
})

describe('R9: an authority with conditions', () => {
  const rows = [{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }]
  const held = (...authorities: readonly Authority[]) =>
    new Containment(authorities.map((authority) => compileAuthority(authority, patternOf)))
  const ports = { regex: '/apis/ports(/.*)?', methods: ['GET', 'POST'] }
  const one = { regex: '/apis/ports/1', methods: ['GET'] }
  const missing = { method: 'GET', path: '/apis/ports/1' }

  test('is held by one without any, and by one with equal ones', () => {
    expect(held(ports).notHeld({ ...one, rows })).toBeUndefined()
    const fields = { read: ['id'], write: [] }
    expect(held({ ...ports, rows, fields }).notHeld({ ...one, fields, rows })).toBeUndefined()
    const [{ key, op, val } = {}] = rows
    expect(held({ ...ports, rows }).notHeld({ ...one, rows: [{ val, op, key }] })).toBeUndefined()
  })

  test('is held by several that are comparable together', () => {
    const two = { regex: '/apis/ports/[12]', methods: ['GET'], rows }
    const first = { ...one, rows }
    const second = { regex: '/apis/ports/2', methods: ['GET'] }
    expect(held(first, second).notHeld(two)).toBeUndefined()
    expect(held(first, { ...second, rows: [] }).notHeld(two)).toEqual({
      method: 'GET',
      path: '/apis/ports/2',
    })
  })

  test('holds none without conditions, and none with others', () => {
    expect(held({ regex: '.*', methods: ['GET'], rows }).notHeld(one)).toEqual(missing)
    expect(held({ ...ports, rows }).notHeld({ ...one, rows: [...rows, ...rows] })).toEqual(missing)
    expect(held({ ...ports, rows }).notHeld({ ...one, rows, fields: { read: ['id'] } })).toEqual(missing)
    expect(held({ ...ports, rows: [] }).notHeld(one)).toEqual(missing)
    expect(held({ regex: '.*', methods: [...knownMethods], rows: [] }).holdsEverything()).toBe(false)
  })

  test('is compared in bounded time, as one of very many', () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({
      ...ports,
      rows: [...Array.from({ length: 100 }, () => rows[0]), { key: 'id', op: '==', val: index }],
    }))
    const containment = held(...many)
    expect(many.filter((authority) => containment.notHeld(authority) !== undefined)).toEqual([])
  })
})
