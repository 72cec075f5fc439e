import { describe, expect, test } from 'vitest'
import { frontCommandOptions, gatewayCommandOptions } from './command-options.ts'
import { ConfigError } from './config-error.ts'
import { type ConfigSources, loadConfig } from './load.ts'

interface Given {
  readonly flags?: readonly string[]
  readonly environment?: ConfigSources['environment']
  readonly file?: string
}

function sources({ flags = [], environment = {}, file }: Given): ConfigSources {
  return {
    flags: file === undefined ? flags : ['--config', 'front.yaml', ...flags],
    environment,
    readText: (path) => {
      if (path === 'front.yaml' && file !== undefined) return file
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    },
  }
}

const load = (given: Given) => loadConfig(frontCommandOptions, sources(given)).values.front

function mistakesOf(given: Given): readonly string[] {
  try {
    load(given)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

const file = `
front:
  port: 8081
  content:
    root: /srv/app
    route: ['/', '/tenants/:tenant']
    policy: { frame-ancestors: https://portal.example.org }
  configs:
    theme: dark
    limit: 3
    flags: [yes, true]
`

describe('keys that lie under others', () => {
  test('are read from a file', () => {
    expect(load({ file })).toMatchObject({
      host: '127.0.0.1',
      port: 8081,
      content_root: '/srv/app',
      content_route: ['/', '/tenants/:tenant'],
      content_policy: { 'frame-ancestors': 'https://portal.example.org' },
      configs: { theme: 'dark', limit: 3, flags: ['yes', true] },
      body_limit: 10 * 1024 ** 2,
      log_level: 'info',
      shutdown_timeout: 10_000,
    })
  })

  test('have flags and variables, which come first', () => {
    const flags = ['--content_route', '/app/*', '--configs', '{"theme": "light"}']
    const front = load({ file, flags, environment: { GATEHOUSE_CONTENT_ROOT: '/srv/other' } })
    expect([front.content_root, front.content_route, front.configs]).toEqual([
      '/srv/other',
      ['/app/*'],
      { theme: 'light' },
    ])
  })

  test('are left alone by other commands', () => {
    const both = `${file}gateway:\n  db_product: sqlite\n  db_name: x\n`
    expect(loadConfig(gatewayCommandOptions, sources({ file: both })).values.gateway.db_name).toBe('x')
  })
})

test.each([
  [
    'a key that is not known',
    'front:\n  content:\n    root: /a\n    rout: /b\n',
    'front.yaml line 4: front.content.rout: unknown key; did you mean content.root?',
  ],
  [
    'a value in place of keys',
    'front:\n  content: /a\n',
    'front.yaml line 2: front.content: takes keys and values, indented under it',
  ],
  [
    'a pattern that is none',
    'front:\n  content:\n    root: /a\n    route: [app]\n',
    'front.yaml line 4: front.content.route: takes a path, or a list of paths, that start with “/”; “:name” stands for one segment, “*” at the end for any rest, not "[\\"app\\"]"',
  ],
  [
    'configs that are no keys',
    'front:\n  content:\n    root: /a\n  configs: 3\n',
    'front.yaml line 4: front.configs: takes keys and values, or a JSON object, not "3"',
  ],
])('%s stops the start', (_what, text, mistake) => {
  expect(mistakesOf({ file: text })).toContain(mistake)
})

describe('keys at the top of the file of “gatehouse front”', () => {
  test('are those of “front:”', () => {
    const file = `
content: { root: ./dist, route: [/, "/tenants/:tenant"] }
configs: { theme: dark }
backend: { target: "http://127.0.0.1:9000", proxypath: /backend }
authentication: { strategy: gateway }
gateway: { url: "http://127.0.0.1:9000", role: reader, db_product: sqlite }
session: { store: redis }
front_port: 8081
`
    expect(load({ file })).toMatchObject({
      content_root: './dist',
      content_route: ['/', '/tenants/:tenant'],
      configs: { theme: 'dark' },
      backend: [{ target: 'http://127.0.0.1:9000', proxypath: '/backend' }],
      authentication: [{ strategy: 'gateway' }],
      gateway_url: 'http://127.0.0.1:9000',
      gateway_role: 'reader',
      session_store: 'redis',
    })
  })

  test('are not given under “front:” as well', () => {
    expect(mistakesOf({ file: 'content: { root: a }\nfront: { content: { root: b } }\n' })).toEqual([
      'front.yaml line 1: content.root and front.yaml line 2: front.content.root: give one of them, not both',
    ])
  })

  test('are checked like those under “front:”', () => {
    expect(mistakesOf({ file: 'sesion: { store: redis }\ncontent: { rot: x }\n' })).toEqual([
      'front.yaml line 1: sesion: unknown key; did you mean session?',
      'front.yaml line 2: content.rot: unknown key; did you mean content.root?',
    ])
  })
})
