import { expect, test } from 'vitest'
import { upCommandOptions } from './command-options.ts'
import { describeSettings } from './describe-settings.ts'
import { loadConfig } from './load.ts'

const file = `gateway:
  token_ttl: 1h
  upstream_secrets:
    shop: { value: hidden-one, targets: ['https://shop.internal'] }
  store_url: postgresql://someone:hidden-two@db.internal/store
front:
  authentication:
    name: idp
    strategy: openid
    config: { issuer: 'https://idp.example.org', clientId: a, clientSecret: hidden-three }
`

test('each option says its value, where it comes from and what it takes, and no secret', () => {
  const { settings } = loadConfig(upCommandOptions, {
    flags: ['--gateway_port', '9001', '--config', 'some.yaml'],
    environment: { GATEHOUSE_ADMIN_PASSWORD: 'hidden-four', GATEHOUSE_GRAPHIQL: 'false' },
    readText: () => file,
  })
  const described = describeSettings(settings)
  const found = (key: string) => {
    const { value, source, origin, secret } = described.find((one) => one.key === key) ?? {}
    return [value, source, origin, secret]
  }
  expect(found('gateway_port')).toEqual(['9001', 'flag', '--gateway_port', false])
  expect(found('gateway.graphiql')).toEqual(['false', 'variable', 'GATEHOUSE_GRAPHIQL', false])
  expect(found('gateway.token_ttl')).toEqual(['1h', 'file', 'some.yaml line 2: gateway.token_ttl', false])
  expect(found('gateway.body_limit')).toEqual(['10mb', 'default', 'default', false])
  expect(found('gateway.base_url')).toEqual([null, null, null, false])
  expect(found('gateway.admin_password')).toEqual(['(set)', 'variable', 'GATEHOUSE_ADMIN_PASSWORD', true])
  expect(JSON.stringify(described)).not.toContain('hidden-')
  expect(described.find(({ key }) => key === 'gateway.token_ttl')).toMatchObject({
    default: '8h',
    otherwise: null,
    takes: expect.stringContaining('a duration from'),
    description: expect.stringMatching(/\.$/),
  })
})
