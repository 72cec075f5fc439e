import { expect, test } from 'vitest'
import { callOf } from './api-call.ts'
import type { Operation } from './openapi.ts'

const list: Operation = {
  id: 'listPort',
  method: 'GET',
  path: '/apis/ports',
  tag: 'Port',
  summary: 'Lists ports.',
  parameters: [
    { name: 'asc', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
    { name: 'name', in: 'query', explode: true, schema: { type: 'array', items: { type: 'string' } } },
    { name: 'first', in: 'query', schema: { type: 'integer' } },
    { name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
  ],
  responses: [],
  needsToken: true,
}

const input = (values: Readonly<Record<string, string>>, body = '') => ({
  values: new Map(Object.entries(values)),
  body,
})

test('values of lists are sent one by one, or with commas between them', () => {
  const values = { 'query asc': 'name\nid', 'query name': 'a b\n\nc&d', 'query first': '5' }
  expect(callOf(list, input({ ...values, 'header If-None-Match': '"1"' }))).toEqual({
    method: 'GET',
    path: '/apis/ports?asc=name,id&name=a%20b&name=c%26d&first=5',
    headers: [['If-None-Match', '"1"']],
  })
})

test('a value cannot leave its place in the path, but the rest of a path may have slashes', () => {
  const place = { in: 'path', required: true, schema: { type: 'string' } } as const
  const one = { ...list, path: '/apis/ports/{id}', parameters: [{ ...place, name: 'id' }] }
  expect(callOf(one, input({ 'path id': '../a?b$&' })).path).toBe('/apis/ports/..%2Fa%3Fb%24%26')
  expect(callOf(one, input({})).path).toBe('/apis/ports/{id}')
  const rest = { ...list, path: '/shop/{rest}', parameters: [{ ...place, name: 'rest', isRest: true }] }
  expect(callOf(rest, input({ 'path rest': '/a b/c' })).path).toBe('/shop/a%20b/c')
})

test('the rest of a query is sent as it is, except for what no address holds', () => {
  const rest = { name: '?', in: 'query', schema: { type: 'string' }, isRest: true } as const
  const shop = { ...list, path: '/shop', parameters: [rest] }
  const path = (text: string) => callOf(shop, input({ 'query ?': text })).path
  expect(path('?a=1&b[]=x%20y')).toBe('/shop?a=1&b[]=x%20y')
  expect(path(`q=a b&name=Zoë"'<😀>#x\n`)).toBe('/shop?q=a%20b&name=Zo%C3%AB%22%27%3C%F0%9F%98%80%3E%23x%0A')
})

test('a body is sent with its media type, unless it is empty', () => {
  const change = { ...list, method: 'PATCH', parameters: [], body: { mediaType: 'application/json' } }
  expect(callOf(change, input({}, '{"a":1}'))).toEqual({
    method: 'PATCH',
    path: '/apis/ports',
    headers: [['Content-Type', 'application/json']],
    body: '{"a":1}',
  })
  expect(callOf(change, input({}))).toEqual({ method: 'PATCH', path: '/apis/ports', headers: [] })
})
