/** A list of 1,000,000 rows, all fields: time to the first byte and to the last, and memory. `npm run bench long-list` */
import { type BenchDatabase, benchDatabases } from './bench-databases.ts'
import { benchAdministrator, logOn } from './logon.ts'
import { type RunningProgram, startGatewayProgram } from './program.ts'

const rowCount = 1_000_000
const chunk = 5000

async function prepare(bench: BenchDatabase): Promise<void> {
  const { dialect, driver } = await bench.open()
  const text = (name: string) => ({ name, type: 'string', nullable: false }) as const
  const { quoteIdentifier, placeholder } = dialect.syntax
  await driver.transaction(
    async (connection) => {
      const common = { uniqueKeys: [], indexes: [] }
      const statements = dialect.ddl.createTables([
        { ...common, name: 'Owner', columns: [text('id')], primaryKey: ['id'], foreignKeys: [] },
        {
          ...common,
          name: 'Reading',
          columns: [
            { name: 'id', type: 'integer', nullable: false },
            text('name'),
            text('note'),
            { name: 'at', type: 'dateTime', nullable: false },
            text('ownerId'),
          ],
          primaryKey: ['id'],
          foreignKeys: [{ columns: ['ownerId'], referencedTable: 'Owner', referencedColumns: ['id'] }],
        },
      ])
      for (const statement of statements) await connection.execute(statement)
      for (let owner = 0; owner < 100; owner += 1) {
        await connection.execute({
          sql: `insert into ${quoteIdentifier('Owner')} values (${placeholder(1)})`,
          parameters: [`owner-${owner}`],
        })
      }
      for (let start = 0; start < rowCount; start += chunk) {
        const rows = Array.from({ length: chunk }, (_, index) => {
          const id = start + index
          return `(${id}, 'reading ${id}', 'a note that is some words long', '2026-01-31 09:30:00', 'owner-${id % 100}')`
        })
        await connection.execute({
          sql: `insert into ${quoteIdentifier('Reading')} values ${rows.join(', ')}`,
          parameters: [],
        })
      }
    },
    { unlimited: true },
  )
  await driver.close()
}

async function measure(program: RunningProgram, fields: string) {
  const headers = await logOn(program.url)
  const idle = await program.memory()
  let peak = idle
  const watch = setInterval(() => {
    void program.memory().then((memory) => {
      peak = Math.max(peak, memory)
    })
  }, 20)
  const start = performance.now()
  const response = await fetch(`${program.url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: `{ Reading { edges { node { ${fields} } } } }` }),
  })
  let first = 0
  let length = 0
  for await (const piece of response.body ?? []) {
    if (length === 0) first = performance.now() - start
    length += (piece as Uint8Array).length
  }
  clearInterval(watch)
  return { first, whole: performance.now() - start, length, above: peak - idle }
}

console.log(`Node.js ${process.version}, ${rowCount} rows`)
for (const bench of await benchDatabases()) {
  try {
    await prepare(bench)
    for (const fields of ['id name note at ownerId GlobalId', 'id name note at owner { id }']) {
      const program = await startGatewayProgram(bench.flags, benchAdministrator)
      const { first, whole, length, above } = await measure(program, fields).finally(() => program.stop())
      console.log(
        `${bench.product.padEnd(10)} { ${fields} }: first byte ${first.toFixed(0)} ms, whole ${(whole / 1000).toFixed(1)} s, ${(length / 1e6).toFixed(0)} MB, ${(above / 2 ** 20).toFixed(0)} MB above idle`,
      )
    }
  } finally {
    await bench.remove()
  }
}
