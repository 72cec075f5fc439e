import { expect, test } from 'vitest'
import { gatewayCommandOptions } from './command-options.ts'
import { loadConfig } from './load.ts'
import { printConfig } from './print-config.ts'

test('prints every option with its value and origin, and hides secrets', () => {
  const { settings } = loadConfig(gatewayCommandOptions, {
    flags: ['--db_product=sqlite', '--config=g.yaml'],
    environment: { GATEHOUSE_ADMIN_PASSWORD: 's3cret' },
    readText: () => 'gateway:\n  db_name: ":memory:"\n',
  })
  expect(printConfig(gatewayCommandOptions.groups, settings)).toBe(
    `Gateway
  db_product              sqlite     --db_product
  db_name                 :memory:   g.yaml line 2: gateway.db_name
  db_schema               public     default
  db_host                 127.0.0.1  default
  db_port                 -          not given: the usual port of the product
  db_user                 gatehouse  default
  db_pass                 -          not given: no password is sent
  db_tls                  false      default
  db_pooler               auto       default
  db_connections          16         default
  read_connections        4          default
  db_wait                 5s         default
  statement_timeout       10s        default
  db_fast_reads           true       default
  sort_order              native     default
  view_keys               -          not given: rows of views are identified by their position in a list
  graphql_naming          verbatim   default
  graphql_profile         default    default
  names                   -          not given: default names, or those that were chosen by command
  db_retry                true       default
  store_url               -          not given: separate tables in the connected database
  notices_url             -          not given: PostgreSQL passes notices itself, and other databases are polled every 0.4 s
  host                    127.0.0.1  default
  port                    9000       default
  base_url                -          not given: the address it listens on
  trusted_proxies         -          not given: the client address is that of the connection
  target_allow            -          not given: none of them
  cors_origins            -          not given: none of them
  upstream_secrets        -          not given: routes send no secrets
  token_ttl               8h         default
  token_issuers           -          not given: only tokens of the gateway itself are accepted
  second_factor           optional   default
  passkey_origins         -          not given: passkeys are turned off
  passkey_domain          -          not given: the host of the passkey_origins
  body_limit              10mb       default
  compress_from           16kb       default
  request_timeout         30s        default
  schema_poll             10s        default
  slow_statement          500ms      default
  graphql_max_tokens      20000      default
  graphql_max_depth       30         default
  graphql_max_fields      5000       default
  graphql_max_aliases     1000       default
  graphql_max_batch       10         default
  graphql_max_directives  10         default
  graphql_max_cost        200000000  default
  graphql_max_rows        5000000    default
  graphql_max_answer      256mb      default
  graphql_max_held_rows   100000     default
  list_max_rows           100000     default
  list_max_answer         1gb        default
  graphql_introspection   true       default
  persisted               -          not given: there are none
  graphql_persisted_only  false      default
  graphiql                true       default
  page_logon              true       default
  workers                 1          default
  log_level               info       default
  admin_password          (hidden)   GATEHOUSE_ADMIN_PASSWORD
  admin_api_key           -          not given: generated at the first start and shown once
  keep_alive              65s        default
  max_connections         -          not given: a third of the files that the process may open (“ulimit -n”), and at most 10000
  drain_delay             -          not given: 5s if nodes share the store (PostgreSQL, MariaDB or MySQL), otherwise 0s
  shutdown_timeout        10s        default

Every command
  config                  g.yaml     --config
  color                   auto       default`,
  )
})
