/**
 * Requests while a column is added to a table of many rows, on every product that this machine has:
 * `npm run bench change-under-load [rows] [product]`, 1,000,000 rows unless another number is given.
 */
import { openDatabase } from '../src/database/open-database.ts'
import { products } from '../test/support/products.ts'
import { startGatewayProgram } from '../test/support/start-program.ts'
import { definition, field } from '../test/support/temporary-entities.ts'
import { percentile } from './statistics.ts'

const [wanted = '1000000', name] = process.argv.slice(2)
const rows = Number(wanted)
const secrets = {
  GATEHOUSE_ADMIN_PASSWORD: 'only for this bench',
  GATEHOUSE_ADMIN_API_KEY: 'ghk_bench_bench_bench_bench_bench_bench',
}

const item = (...more: readonly object[]) =>
  definition('Item', { local: [field('name', 'string'), ...(more as ReturnType<typeof field>[])] })

const changes: readonly (readonly [title: string, document: ReturnType<typeof item>])[] = [
  [
    'a column with a default, not nullable',
    item(field('size', 'integer', { field_nullable: false, field_default: '7' })),
  ],
  [
    'a nullable column',
    item(field('size', 'integer', { field_nullable: false, field_default: '7' }), field('note', 'text')),
  ],
  ['two columns dropped', item()],
]

for (const product of products.filter((each) => name === undefined || each.name === name)) {
  const created = await product.createDatabase()
  const program = await startGatewayProgram(created.options, secrets, '--log_level', 'error')
  try {
    const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
      const response = await fetch(program.url + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await response.text() }
    }
    const { text } = await send(
      'POST',
      '/logon',
      { 'x-xaas-api-key': secrets.GATEHOUSE_ADMIN_API_KEY },
      { username: 'admin', password: secrets.GATEHOUSE_ADMIN_PASSWORD },
    )
    const token = { 'x-xaas-auth-token': String(JSON.parse(text)['x-xaas-auth-token']) }
    await send('POST', '/manage/entities', token, item())
    await fill(created.options, rows)

    for (const [title, document] of changes) {
      const answers: { readonly status: number; readonly milliseconds: number }[] = []
      let isRunning = true
      let number = 0
      const load = async (ask: () => Promise<{ readonly status: number }>) => {
        while (isRunning) {
          const begun = performance.now()
          const { status } = await ask()
          answers.push({ status, milliseconds: performance.now() - begun })
        }
      }
      const loads = [
        load(() => send('GET', '/apis/items/id500', token)),
        load(() => send('GET', '/apis/items?limit=20', token)),
        load(() =>
          send('POST', '/graphql', token, { query: '{ Item(first: 10) { edges { node { id name } } } }' }),
        ),
        load(() => {
          number += 1
          return send('POST', '/apis/items', token, { id: `${title} ${number}` })
        }),
        load(() => send('PATCH', '/apis/items/id700', token, { name: 'changed' })),
      ]
      await new Promise((resolve) => setTimeout(resolve, 2000))
      const before = answers.splice(0)
      const begun = performance.now()
      const { status } = await send('POST', '/manage/entities?allow_destructive=true', token, document)
      const took = performance.now() - begun
      await new Promise((resolve) => setTimeout(resolve, 1000))
      isRunning = false
      await Promise.all(loads)
      const lost = answers.filter((answer) => answer.status >= 400).length
      const times = (list: typeof answers) => list.map(({ milliseconds }) => milliseconds)
      console.log(
        `${product.name}, ${rows} rows, ${title}: ${status} after ${took.toFixed(0)} ms; ${answers.length} requests meanwhile, ${lost} lost; slowest ${Math.max(...times(answers)).toFixed(0)} ms, p99 ${percentile(times(answers), 0.99).toFixed(0)} ms; before: slowest ${Math.max(...times(before)).toFixed(0)} ms, p99 ${percentile(times(before), 0.99).toFixed(0)} ms`,
      )
    }
  } finally {
    await program.stop('SIGTERM')
    await created.remove()
  }
}

/** Puts rows in with as few statements as the size of a statement allows. */
async function fill(options: Parameters<typeof openDatabase>[0], count: number): Promise<void> {
  const { driver, dialect } = await openDatabase(options)
  const quote = dialect.syntax.quoteIdentifier
  const size = 10_000
  for (let start = 0; start < count; start += size) {
    const values = Array.from({ length: Math.min(size, count - start) }, (_, index) => {
      const id = String(start + index)
      return `('i${id.padStart(12, '0')}', 'id${id}', 'name ${id}')`
    })
    const sql = `insert into ${quote('Item')} (${['instance', 'id', 'name'].map(quote).join(', ')}) values ${values.join(', ')}`
    await driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
  }
  await driver.close()
}
