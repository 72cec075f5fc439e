/**
 * A separate process that attacks a running program until it is ended: `node bench/soak/attackers.ts GATEWAY FRONT TOKEN`.
 * Documents with tens of thousands of unknown keys without a log-in, queries whose answer multiplies at every level, and
 * connections that say nothing.
 */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const [gatewayUrl = '', frontUrl = '', token = ''] = process.argv.slice(2)
const { hostname, port } = new URL(gatewayUrl)

const unknownKeys = JSON.stringify(
  Object.fromEntries(Array.from({ length: 50_000 }, (_, number) => [`key${number}`, 1])),
)
const longKey = JSON.stringify({ ['k'.repeat(9_000_000)]: 1 })
const nestedLists = '['.repeat(500_000) + ']'.repeat(500_000)
const children = 'tenant { portCollection { edges { node {'
const fanOut = `{ Tenant(first: 1) { edges { node { portCollection { edges { node { ${children} ${children} id } } } } } } } } } } } } } }`

async function send(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    for await (const piece of response.body ?? []) void piece
  } catch {
    // A connection that is cut is an answer, too.
  }
}

async function forEver(milliseconds: number, attack: () => Promise<unknown>): Promise<never> {
  for (;;) {
    await attack()
    await pause(milliseconds)
  }
}

const targets = [`${gatewayUrl}/logon`, `${frontUrl}/auth/gateway`, `${frontUrl}/logout`]
const bombs = [unknownKeys, longKey, nestedLists]
await Promise.all([
  ...targets.map((target, index) => forEver(1000, () => send(target, bombs[index] ?? unknownKeys))),
  forEver(2000, () =>
    send(`${gatewayUrl}/graphql`, JSON.stringify({ query: fanOut }), { 'x-xaas-auth-token': token }),
  ),
  forEver(200, async () => {
    const silent = connect(Number(port), hostname)
    silent.on('error', () => undefined)
    silent.resume()
  }),
])
