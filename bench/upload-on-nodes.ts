/**
 * Uploads at one of three nodes, under steady load on all of them: how long it takes until each serves the new schema, and
 * whether a request is lost. `npm run bench upload-on-nodes [uploads] [product]`, 20 uploads unless another number is given.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { products } from '../test/support/products.ts'
import { startGatewayProgram } from '../test/support/start-program.ts'
import { definition, field } from '../test/support/temporary-entities.ts'
import { percentile } from './statistics.ts'

const [wanted = '20', name] = process.argv.slice(2)
const secrets = {
  GATEHOUSE_ADMIN_PASSWORD: 'only for this bench',
  GATEHOUSE_ADMIN_API_KEY: 'ghk_bench_bench_bench_bench_bench_bench',
}
/** How many calls each node gets in a second. */
const rate = 50
const pauseMs = 1000

const version = (headers: Headers) => Number(headers.get('x-gatehouse-schema')?.split('-')[0] ?? -1)

for (const product of products.filter(
  (each) => (name ?? each.name) === each.name && each.name !== 'SQLite',
)) {
  const created = await product.createDatabase()
  const start = () => startGatewayProgram(created.options, secrets, '--log_level', 'error')
  const nodes = [await start(), ...(await Promise.all([start(), start()]))]
  const urls = nodes.map(({ url }) => url)
  try {
    const send = (
      url: string,
      method: string,
      path: string,
      headers: Record<string, string>,
      body?: object,
    ) =>
      fetch(url + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const [first = ''] = urls
    const logon = await send(
      first,
      'POST',
      '/logon',
      { 'x-xaas-api-key': secrets.GATEHOUSE_ADMIN_API_KEY },
      { username: 'admin', password: secrets.GATEHOUSE_ADMIN_PASSWORD },
    )
    const token = {
      'x-xaas-auth-token': String(((await logon.json()) as Record<string, string>)['x-xaas-auth-token']),
    }
    const upload = (...local: ReturnType<typeof field>[]) =>
      send(first, 'POST', '/manage/entities?allow_destructive=true', token, definition('Item', { local }))
    await upload()
    await send(first, 'POST', '/apis/items', token, { id: 'one' })
    for (const url of urls) {
      while ((await send(url, 'GET', '/apis/items/one', token)).status !== 200) await pause(50)
    }

    /** When each node first answered with a version, by the clock of this process. */
    const seen = urls.map(() => new Map<number, number>())
    const refused: string[] = []
    const calls: Promise<void>[] = []
    let count = 0
    const ask = async (node: number) => {
      count += 1
      const url = urls[node] ?? ''
      const kinds = [
        () => send(url, 'GET', '/apis/items/one', token),
        () => send(url, 'POST', '/apis/items', token, {}),
        () => send(url, 'POST', '/graphql', token, { query: '{ Item(first: 5) { edges { node { id } } } }' }),
        () => send(url, 'PATCH', '/apis/items/one', token, {}),
      ]
      const answer = await (kinds[count % kinds.length] ?? kinds[0])?.()
      if (answer === undefined) return
      const text = await answer.text()
      const number = version(answer.headers)
      if (answer.status >= 400 || text.includes('"errors"'))
        refused.push(`${answer.status} from node ${node}, version ${number}: ${text}`)
      if (!seen[node]?.has(number)) seen[node]?.set(number, performance.now())
    }
    const timers = urls.map((_, node) =>
      setInterval(
        () => calls.push(ask(node).catch((error: unknown) => void refused.push(String(error)))),
        1000 / rate,
      ),
    )
    const delays: number[] = []
    for (let number = 0; number < Number(wanted); number += 1) {
      const answer = await upload(
        ...(number % 2 === 0 ? [field('size', 'integer', { field_default: '7' })] : []),
      )
      const answeredAt = performance.now()
      if (answer.status !== 201) throw new Error(await answer.text())
      await pause(pauseMs)
      for (const node of seen) {
        const at = node.get(version(answer.headers))
        delays.push(at === undefined ? Number.POSITIVE_INFINITY : Math.max(0, at - answeredAt))
      }
    }
    for (const timer of timers) clearInterval(timer)
    await Promise.all(calls)
    console.log(
      `${product.name}: ${wanted} uploads at one of three nodes, ${rate} calls a second at each: ${count} calls, ${refused.length} lost; the new schema everywhere after ${percentile(delays, 0.5).toFixed(0)} ms (median), ${Math.max(...delays).toFixed(0)} ms (slowest)`,
    )
    for (const sentence of refused.slice(0, 5)) console.log(`  ${sentence}`)
  } finally {
    await Promise.all(nodes.map((node) => node.stop('SIGTERM')))
    await created.remove()
  }
}
