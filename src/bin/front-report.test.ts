import { expect, test } from 'vitest'
import { frontCommandOptions } from '../config/command-options.ts'
import { loadConfig } from '../config/load.ts'
import { frontReport } from './front-report.ts'

function report(...flags: readonly string[]): string {
  const sources = { flags: ['--content_root', '/srv/app', ...flags], environment: {}, readText: () => '' }
  const { front: config } = loadConfig(frontCommandOptions, sources).values
  return frontReport({ version: '1.2.3', config, address: 'http://localhost:8080' })
}

test('tells what was found, the address and what to do next', () => {
  expect(report()).toBe(`Gatehouse 1.2.3

Found    application /srv/app
Found    no way to log in; sessions in memory
Front    http://localhost:8080
Console  http://localhost:8080/console, which needs a login with accounts of the gateway

Next     open http://localhost:8080 in a browser`)
})

test('tells the ways to log in, where calls go, and that a network sees what is not encrypted', () => {
  const text = report(
    ...['--authentication', '[{"name": "staff", "strategy": "openid"}, {"strategy": "gateway"}]'],
    ...['--backend_target', 'http://10.0.0.1:9000', '--backend_proxypath', '/backend'],
    ...['--host', '0.0.0.0', '--session_store', 'redis'],
  )
  expect(text).toContain(`
Found    login by staff, gateway; sessions in redis
Front    http://localhost:8080
Console  http://localhost:8080/console
Backend  /backend leads to http://10.0.0.1:9000
Callback http://localhost:8080/auth/staff/callback, to register at the provider of “staff”
Warning  browsers use plain HTTP; set base_url to an https address
`)
})

test.each(['http://localhost:8080', 'http://127.0.0.1:8080'])(
  'an address of this machine has no warning, whether it is given or not: %s',
  (address) => {
    expect(report('--base_url', address)).not.toContain('Warning')
    expect(report('--base_url', 'http://app.example.org')).toContain('Warning')
  },
)

test('tells what keeps people from logging in', () => {
  const sources = { flags: ['--content_root', '/srv/app'], environment: {}, readText: () => '' }
  const { front: config } = loadConfig(frontCommandOptions, sources).values
  const address = 'http://localhost:8080'
  const problem = 'No one can log in with the role "nix": it does not exist at the gateway.'
  expect(frontReport({ version: '1.2.3', config, address, problem })).toContain(
    '\nWarning  No one can log in with the role "nix": it does not exist at the gateway.\n',
  )
})
