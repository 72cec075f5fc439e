import { expect, onTestFinished, test } from 'vitest'
import type { ApiRoute } from '../access/authorization/api-route.ts'
import { createReverseProxy } from '../proxy/proxy.ts'
import { createTargetGuard } from '../proxy/target-guard.ts'
import { createUpstreams } from './upstreams.ts'

test('routes that are read after the end open no upstream, which no one would close', () => {
  const guard = createTargetGuard([])
  const proxy = createReverseProxy(guard)
  onTestFinished(() => proxy.close())
  const upstreams = createUpstreams(proxy, guard, () => undefined)
  const route: ApiRoute = {
    name: 'shop',
    path: '/shop/*',
    methods: ['GET'],
    scope: 'protected',
    target: 'http://127.0.0.1:9',
  }
  upstreams.follow([route])
  expect(upstreams.of(route)).toBeDefined()
  upstreams.close()
  upstreams.follow([route])
  expect(upstreams.of(route)).toBeUndefined()
})
