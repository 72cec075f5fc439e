/** `gatehouse check-config --connect` of a web front: its sessions in Redis, and a gateway on another machine. */
import { randomBytes } from 'node:crypto'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { redisUrl } from '../support/redis-server.ts'
import { runCommand } from '../support/run-command.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { closedPort } from '../support/upstream-servers.ts'

/** The exit code, and the lines about what was tried. */
async function check(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const flags = ['check-config', 'front', '--connect', '--authentication', '{"strategy": "gateway"}']
  const { exitCode, output, errors } = await runCommand([...flags, ...words], undefined, environment)
  return { exitCode, errors, lines: output.split('\n\n').at(-1)?.split('\n') }
}

describe.runIf(redisUrl !== undefined)('sessions in Redis', () => {
  const url = new URL(redisUrl ?? 'redis://127.0.0.1')
  const user = `gatehouse_${randomBytes(4).toString('hex')}`
  const password = randomBytes(16).toString('hex')
  const client = createClient({ url: url.href })
  beforeAll(async () => {
    await client.connect()
    await client.sendCommand(['ACL', 'SETUSER', user, 'on', `>${password}`, '~*', '&*', '+@all'])
  })
  afterAll(async () => {
    await client.sendCommand(['ACL', 'DELUSER', user])
    await client.close()
  })

  const sessions = async (change: (url: URL) => void) => {
    const given = new URL(`redis://${user}:${password}@${url.host}`)
    change(given)
    const { lines = [], ...ended } = await check(['--session_store', 'redis'], {
      GATEHOUSE_SESSION_URL: given.href,
      GATEHOUSE_GATEWAY_URL: 'http://127.0.0.1:1',
    })
    expect(JSON.stringify(lines)).not.toContain(password)
    return { ...ended, line: lines.find((line) => line.startsWith('sessions')) }
  }

  test('that answers', async () => {
    expect(await sessions(() => {})).toMatchObject({ errors: '', line: `sessions  works  ${url.host}` })
  })

  test('at a wrong port', async () => {
    const port = await closedPort()
    const { line, exitCode } = await sessions((given) => {
      given.port = `${port}`
    })
    expect([exitCode, line]).toEqual([1, `sessions  FAILS  connect ECONNREFUSED ${url.hostname}:${port}`])
  })

  test('with a wrong password', async () => {
    const { line, exitCode } = await sessions((given) => {
      given.password = 'wrong'
    })
    expect([exitCode, line]).toEqual([
      1,
      'sessions  FAILS  WRONGPASS invalid username-password pair or user is disabled.',
    ])
  })
})

describe('a gateway on another machine', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    gateway = await startTestGateway(product)
  })
  afterAll(() => gateway.close())

  test('that answers', async () => {
    expect(await check(['--gateway_url', gateway.url])).toEqual({
      exitCode: 0,
      errors: '',
      lines: [`gateway  works  ${gateway.url}`],
    })
  })

  test('at a wrong port', async () => {
    const address = `http://127.0.0.1:${await closedPort()}`
    expect(await check(['--gateway_url', address])).toEqual({
      exitCode: 1,
      errors: '',
      lines: [`gateway  FAILS  connect ECONNREFUSED ${new URL(address).host}`],
    })
  })
})
