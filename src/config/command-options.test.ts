import { describe, expect, test } from 'vitest'
import * as adminOptions from './admin-options.ts'
import {
  clientCommandOptions,
  frontCommandOptions,
  gatewayCommandOptions,
  schemaCommandOptions,
  upCommandOptions,
} from './command-options.ts'
import { ConfigError } from './config-error.ts'
import { loadConfig } from './load.ts'
import { namedOptionsOf } from './options.ts'
import { frontConfigOf, gatewayConfigOf } from './up-options.ts'

function upConfig(flags: readonly string[], file = '') {
  const { values } = loadConfig(upCommandOptions, { flags, environment: {}, readText: () => file })
  return gatewayConfigOf(values)
}

function frontConfig(flags: readonly string[], file = '', environment = {}) {
  const { values } = loadConfig(upCommandOptions, { flags, environment, readText: () => file })
  return frontConfigOf(values, 'http://127.0.0.1:9000')
}

describe('the web front in up', () => {
  test('has what a front alone would have, and leads to the gateway', () => {
    const sources = { flags: [], environment: {}, readText: () => 'front: {}' }
    const alone = loadConfig(frontCommandOptions, { ...sources, flags: ['--config', 'f'] }).values.front
    expect(frontConfig([])).toEqual({
      ...alone,
      backend: [
        expect.objectContaining({ target: 'http://127.0.0.1:9000', proxypath: '/backend', token: 'user' }),
      ],
      gateway_url: 'http://127.0.0.1:9000',
      authentication: [expect.objectContaining({ strategy: 'gateway', transparentTokens: true })],
      session_file: 'gatehouse-data/sessions.sqlite',
      log_level: 'warn',
    })
  })
  test('takes its port in two ways', () => {
    expect(frontConfig([], 'front:\n  port: 1').port).toBe(1)
    expect(frontConfig(['--front_port=2'], 'front:\n  port: 1').port).toBe(2)
  })
  test('follows the gateway where both have an option, unless the file says otherwise', () => {
    const environment = { GATEHOUSE_HOST: '0.0.0.0', GATEHOUSE_LOG_LEVEL: 'debug' }
    expect(frontConfig(['--shutdown_timeout=3s'], '', environment)).toMatchObject({
      host: '0.0.0.0',
      log_level: 'debug',
      shutdown_timeout: 3000,
    })
    expect(frontConfig([], 'front:\n  host: "::1"', environment).host).toBe('::1')
  })
})

describe('up', () => {
  test('needs no option', () => {
    expect(upConfig([])).toEqual({
      db_product: 'sqlite',
      db_host: '127.0.0.1',
      db_user: 'gatehouse',
      db_tls: false,
      db_connections: 16,
      db_fast_reads: true,
      db_pooler: 'auto',
      db_retry: true,
      db_schema: ['public'],
      db_wait: 5000,
      statement_timeout: 10_000,
      db_name: 'gatehouse-data/gatehouse.sqlite',
      read_connections: 4,
      host: '127.0.0.1',
      port: 9000,
      token_ttl: 28_800_000,
      second_factor: 'optional',
      passkey_origins: ['http://localhost:8080', 'http://localhost:9000'],
      body_limit: 10_485_760,
      compress_from: 16_384,
      graphql_naming: 'verbatim',
      graphql_profile: 'default',
      request_timeout: 30_000,
      graphql_max_tokens: 20_000,
      graphql_max_depth: 30,
      graphql_max_fields: 5000,
      graphql_max_aliases: 1000,
      graphql_max_batch: 10,
      graphql_max_directives: 10,
      graphql_max_cost: 200_000_000,
      graphql_max_rows: 5_000_000,
      graphql_max_answer: 268_435_456,
      graphql_max_held_rows: 100_000,
      graphql_introspection: true,
      graphql_persisted_only: false,
      list_max_rows: 100_000,
      list_max_answer: 1_073_741_824,
      schema_poll: 10_000,
      slow_statement: 500,
      sort_order: 'native',
      graphiql: true,
      page_logon: true,
      workers: 1,
      log_level: 'warn',
      keep_alive: 65_000,
      shutdown_timeout: 10_000,
    })
  })
  test('keeps its data where it is told', () => {
    expect(upConfig(['--data_dir', '/srv/data']).db_name).toBe('/srv/data/gatehouse.sqlite')
    expect(upConfig([], 'gateway:\n  db_name: mine.sqlite').db_name).toBe('mine.sqlite')
  })
  test('takes the port of the gateway in two ways', () => {
    expect(upConfig([], 'gateway:\n  port: 1').port).toBe(1)
    expect(upConfig(['--gateway_port=2'], 'gateway:\n  port: 1').port).toBe(2)
  })
  test('does not take --port, which would not say of which service', () => {
    expect(() => upConfig(['--port=2'])).toThrow(
      new ConfigError(['--port: unknown option; did you mean --gateway_port?']),
    )
  })
})

test('one file serves every command', () => {
  const readText = () =>
    'data_dir: d\ngateway:\n  db_product: sqlite\n  db_name: a.sqlite\n  port: 1\nclient:\n  username: u\n  password: p\n  api_key: k\n'
  const sources = { flags: ['--config', 'f'], environment: {}, readText }
  expect(loadConfig(upCommandOptions, sources).values.gateway.db_name).toBe('a.sqlite')
  expect(loadConfig(gatewayCommandOptions, sources).values.gateway.db_name).toBe('a.sqlite')
  expect(loadConfig(schemaCommandOptions, sources).values.database.db_name).toBe('a.sqlite')
  expect(loadConfig(clientCommandOptions('any', {}), sources).values.client).toEqual({
    url: 'http://127.0.0.1:9000',
    username: 'u',
    password: 'p',
    api_key: 'k',
    output: 'table',
  })
})

describe('passkeys in up', () => {
  test.each([
    ['front:\n  base_url: https://app.example.org', ['https://app.example.org']],
    [
      'front:\n  base_url: https://app.example.org\ngateway:\n  base_url: https://api.example.org\n  passkey_domain: example.org',
      ['https://app.example.org', 'https://api.example.org'],
    ],
    ['gateway:\n  passkey_origins: [https://other.example.org]', ['https://other.example.org']],
    ['front:\n  base_url: http://192.0.2.1:8080', undefined],
    ['front:\n  base_url: http://app.example.org', undefined],
    ['front:\n  gateway: { url: https://gateway.example.org }', undefined],
    ['web_front: false', undefined],
    ['front_port: 0', undefined],
    ['gateway_port: 0', ['http://localhost:8080']],
  ])('work where browsers have them: %j', (file, origins) => {
    expect(upConfig(['--config', 'f'], file).passkey_origins).toEqual(origins)
  })
})

const clientCommands = Object.entries(adminOptions).map(([name, options]) =>
  clientCommandOptions(name, options),
)

test('commands share an environment', () => {
  const environment = {
    GATEHOUSE_DB_NAME: 'a.sqlite',
    GATEHOUSE_DATA_DIR: 'd',
    GATEHOUSE_URL: 'http://gateway:9000/',
    GATEHOUSE_USERNAME: 'u',
    GATEHOUSE_PASSWORD: 'p',
    GATEHOUSE_API_KEY: 'k',
    GATEHOUSE_OUTPUT: 'json',
  }
  const sources = { flags: [], environment, readText: () => '' }
  expect(loadConfig(upCommandOptions, sources).values.gateway.db_name).toBe('a.sqlite')
  expect(loadConfig(clientCommandOptions('any', {}), sources).values.client).toEqual({
    url: 'http://gateway:9000',
    username: 'u',
    password: 'p',
    api_key: 'k',
    output: 'json',
  })
})

describe('every option', () => {
  const options = [upCommandOptions, gatewayCommandOptions, ...clientCommands]
    .flatMap(({ groups }) => namedOptionsOf(groups))
    .filter(({ definition }) => definition.type.readParts === undefined)
  test.each(options)('$group $key has a default and an example that it takes', ({ definition }) => {
    expect(definition.type.parse(definition.example)).toBeDefined()
    expect(definition.type.parse(definition.default ?? definition.example)).toBeDefined()
  })
  test.each(options)('$group $key is written with small letters', ({ key }) =>
    expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/),
  )
})
