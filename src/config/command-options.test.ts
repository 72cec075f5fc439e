import { describe, expect, test } from 'vitest'
import { gatewayCommandOptions, schemaCommandOptions, upCommandOptions } from './command-options.ts'
import { ConfigError } from './config-error.ts'
import { loadConfig } from './load.ts'
import { namedOptionsOf } from './options.ts'
import { gatewayConfigOf } from './up-options.ts'

function upConfig(flags: readonly string[], file = '') {
  const { values } = loadConfig(upCommandOptions, { flags, environment: {}, readText: () => file })
  return gatewayConfigOf(values)
}

describe('up', () => {
  test('needs no option', () => {
    expect(upConfig([])).toEqual({
      db_product: 'sqlite',
      db_host: '127.0.0.1',
      db_user: 'gatehouse',
      db_tls: false,
      db_connections: 10,
      db_retry: true,
      db_schema: ['public'],
      db_wait: 5000,
      statement_timeout: 10_000,
      db_name: 'gatehouse-data/gatehouse.sqlite',
      read_connections: 4,
      host: '127.0.0.1',
      port: 9000,
      token_ttl: 28_800_000,
      body_limit: 10_485_760,
      graphql_naming: 'verbatim',
      graphql_max_tokens: 20_000,
      graphql_max_depth: 12,
      graphql_max_fields: 5000,
      graphql_max_aliases: 50,
      graphql_max_directives: 10,
      graphql_max_cost: 10_000_000,
      graphiql: true,
      log_level: 'warn',
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
  const readText = () => 'data_dir: d\ngateway:\n  db_product: sqlite\n  db_name: a.sqlite\n  port: 1\n'
  const sources = { flags: ['--config', 'f'], environment: {}, readText }
  expect(loadConfig(upCommandOptions, sources).values.gateway.db_name).toBe('a.sqlite')
  expect(loadConfig(gatewayCommandOptions, sources).values.gateway.db_name).toBe('a.sqlite')
  expect(loadConfig(schemaCommandOptions, sources).values.database.db_name).toBe('a.sqlite')
})

describe('every option', () => {
  const options = [upCommandOptions, gatewayCommandOptions].flatMap(({ groups }) => namedOptionsOf(groups))
  test.each(options)('$group $key has a default and an example that it takes', ({ definition }) => {
    expect(definition.type.parse(definition.example)).toBeDefined()
    expect(definition.type.parse(definition.default ?? definition.example)).toBeDefined()
  })
  test.each(options)('$group $key is written with small letters', ({ key }) =>
    expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/),
  )
})
