/** Three gateways behind a load balancer are restarted one after the other under load: no request is lost. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { describeOn } from '../support/describe-on.ts'
import { freePort } from '../support/free-port.ts'
import { hasHaproxy, startHaproxy } from '../support/haproxy.ts'
import { hasNginx, startNginx } from '../support/nginx.ts'
import { products } from '../support/products.ts'
import { type StartedProgram, startGatewayProgram } from '../support/start-program.ts'

const admin = { username: 'admin', password: 'only for this test', apiKey: 'k'.repeat(40) }
const perSecond = 200

interface Balancer {
  readonly url: string
  stop(): Promise<void>
}

const balancers: readonly [string, boolean, (servers: readonly string[]) => Promise<Balancer>][] = [
  ['nginx', hasNginx, (servers) => startNginx(servers)],
  ['HAProxy', hasHaproxy, (servers) => startHaproxy(servers)],
]

const shared = products.filter(({ name }) => name === 'PostgreSQL')

describeOn(shared, (product) => {
  for (const [name, isThere, startBalancer] of balancers) {
    test.runIf(isThere)(
      `a rolling restart behind ${name} at ${perSecond} requests a second loses none`,
      async () => {
        const database = await product.createDatabase()
        const environment = {
          GATEHOUSE_ADMIN_PASSWORD: admin.password,
          GATEHOUSE_ADMIN_API_KEY: admin.apiKey,
        }
        const ports = [await freePort(), await freePort(), await freePort()]
        const start = (port: number | undefined) =>
          startGatewayProgram(
            database.options,
            environment,
            ...['--port', `${port}`, '--drain_delay', '3s', '--log_level', 'error'],
          )
        const nodes: StartedProgram[] = []
        for (const port of ports) nodes.push(await start(port))
        const balancer = await startBalancer(nodes.map(({ url }) => url))
        onTestFinished(async () => {
          await balancer.stop()
          await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
          await database.remove()
        })
        const load = startLoad(balancer.url, await logOn(balancer.url))
        for (const [index, port] of ports.entries()) {
          expect(await nodes[index]?.stop('SIGTERM')).toBe(0)
          nodes[index] = await start(port)
          // HAProxy has to find out that it is back.
          await wait(2000)
        }
        const { answers, lost } = await load.end()
        expect(lost).toEqual([])
        expect(answers).toBeGreaterThan(1000)
      },
      300_000,
    )
  }
})

async function logOn(url: string): Promise<string> {
  const answer = await fetch(`${url}/logon`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-xaas-api-key': admin.apiKey },
    body: JSON.stringify({ username: admin.username, password: admin.password }),
  })
  return ((await answer.json()) as Record<string, string>)['x-xaas-auth-token'] ?? ''
}

/** Sends so many requests a second, reads and others, as many clients do. */
function startLoad(url: string, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const running: Promise<void>[] = []
  const lost: string[] = []
  let answers = 0
  const started = performance.now()
  let sent = 0
  const send = (number: number) => {
    const isRead = number % 2 === 0
    const outgoing = request(isRead ? `${url}/whoami` : `${url}/graphql`, {
      agent,
      method: isRead ? 'GET' : 'POST',
      headers: { 'x-xaas-auth-token': token, ...(isRead ? {} : { 'content-type': 'application/json' }) },
    })
    const done = new Promise<void>((resolve) => {
      const lose = (why: string) => {
        lost.push(`request ${number} (${isRead ? 'GET' : 'POST'}): ${why}`)
        resolve()
      }
      outgoing.on('error', (error) => lose(String(error)))
      outgoing.on('response', async (answer: IncomingMessage) => {
        const text = (await answer.toArray().catch(() => ['broken off'])).join('')
        if (answer.statusCode !== 200) return lose(`${answer.statusCode} ${text.slice(0, 200)}`)
        answers += 1
        resolve()
      })
    })
    outgoing.end(isRead ? undefined : '{"query":"{ __typename }"}')
    running.push(done)
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - started) / 1000) * perSecond
    for (; sent < due; sent += 1) send(sent)
  }, 10)
  return {
    async end() {
      clearInterval(timer)
      await Promise.all(running)
      agent.destroy()
      return { answers, lost }
    },
  }
}
