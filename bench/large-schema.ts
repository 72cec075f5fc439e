/** 500 tables of 20 columns with 1,000 references: start, first answer, SDL and memory. `npm run bench large-schema` */
import type { ColumnSpec, TableSpec } from '../src/database/table-spec.ts'
import { type BenchDatabase, benchDatabases } from './bench-databases.ts'
import { benchAdministrator, logOn } from './logon.ts'
import { type RunningProgram, startGatewayProgram } from './program.ts'
import { median } from './statistics.ts'

const tableCount = 500
const runs = 5

function tables(): readonly TableSpec[] {
  return Array.from({ length: tableCount }, (_, number): TableSpec => {
    const others = [number - 1, number - 7].map((other) => (other + tableCount) % tableCount)
    const plain = Array.from({ length: 17 }, (_, index): ColumnSpec => {
      const type =
        (['string', 'integer', 'dateTime', 'decimal', 'bigInteger'] as const)[index % 5] ?? 'string'
      return { name: `column${index}`, type, nullable: index % 3 === 0 }
    })
    const references = others.map(
      (other): ColumnSpec => ({
        name: `table${other}Id`,
        type: 'integer',
        nullable: true,
      }),
    )
    return {
      name: `Table${number}`,
      columns: [{ name: 'id', type: 'integer', nullable: false }, ...plain, ...references],
      primaryKey: ['id'],
      uniqueKeys: [],
      foreignKeys: others.map((other) => ({
        columns: [`table${other}Id`],
        referencedTable: `Table${other}`,
        referencedColumns: ['id'],
      })),
      indexes: [],
    }
  })
}

async function prepare(bench: BenchDatabase): Promise<void> {
  const { dialect, driver } = await bench.open()
  await driver.transaction(
    async (connection) => {
      for (const statement of dialect.ddl.createTables(tables())) await connection.execute(statement)
    },
    { unlimited: true },
  )
  await driver.close()
}

async function measure(bench: BenchDatabase) {
  const program = await startGatewayProgram(bench.flags, benchAdministrator)
  try {
    return await measureRunning(program)
  } finally {
    await program.stop()
  }
}

async function measureRunning(program: RunningProgram) {
  const headers = await logOn(program.url)
  const body = JSON.stringify({
    query: '{ Table1 { edges { node { id table0 { id } table2Collection { totalCount } } } } }',
  })
  const answer = await fetch(`${program.url}/graphql`, { method: 'POST', headers, body })
  const text = await answer.text()
  const firstAnswer = performance.now() - program.begun
  if (!answer.ok || text.includes('errors')) throw new Error(text)
  const asked = performance.now()
  const sdl = await (await fetch(`${program.url}/graphql`, { headers })).text()
  const sdlTime = performance.now() - asked
  const memory = await program.memory()
  return { ready: program.readyMilliseconds, firstAnswer, sdlTime, sdlLength: sdl.length, memory }
}

console.log(`Node.js ${process.version}, ${tableCount} tables, ${runs} runs, medians`)
for (const bench of await benchDatabases()) {
  try {
    await prepare(bench)
    await measure(bench)
    const results: Awaited<ReturnType<typeof measure>>[] = []
    for (let run = 0; run < runs; run += 1) results.push(await measure(bench))
    const middle = (key: keyof (typeof results)[number]) => median(results.map((result) => result[key]))
    console.log(
      `${bench.product.padEnd(10)} ready ${middle('ready').toFixed(0)} ms, first answer after logon ${middle('firstAnswer').toFixed(0)} ms after the start, SDL of ${(middle('sdlLength') / 1e6).toFixed(1)} MB in ${middle('sdlTime').toFixed(0)} ms, memory ${(middle('memory') / 2 ** 20).toFixed(0)} MB`,
    )
  } finally {
    await bench.remove()
  }
}
