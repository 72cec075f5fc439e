import { expect, test } from 'vitest'
import { pathsOfEntity, pathsOfManagement, pathsOfRoute } from './known-path.ts'

test('an entity has its API, and its part of GraphQL', () => {
  expect(pathsOfEntity({ name: 'Port', resource: '/apis/ports' })).toEqual([
    { path: '/apis/ports', regex: '/apis/ports(/.*)?', methods: ['GET'], kind: 'entities' },
    { path: '/graphql/Port', regex: '/graphql/Port', methods: ['POST'], kind: 'graphql' },
  ])
  expect(pathsOfEntity({ name: 'Log', resource: null })).toMatchObject([{ path: '/graphql/Log' }])
})

test('variables of routes match one segment, and a final star everything below', () => {
  expect(pathsOfRoute({ path: '/shop.v1/:id/*', methods: ['GET'] })).toEqual([
    { path: '/shop.v1/{id}', regex: '/shop\\.v1/[^/]+(/.*)?', methods: ['GET'], kind: 'routes' },
  ])
  expect(pathsOfRoute({ path: '/', methods: ['GET'] })).toMatchObject([{ path: '/', regex: '/' }])
})

test('the management API is read from its description', () => {
  const document = {
    paths: { '/logon': { post: {} }, '/manage/roles/{name}': { get: {}, delete: {}, parameters: [] } },
  }
  expect(pathsOfManagement(document)).toEqual([
    {
      path: '/manage/roles/{name}',
      regex: '/manage/roles/[^/]+',
      methods: ['GET', 'DELETE'],
      kind: 'management',
    },
  ])
})
