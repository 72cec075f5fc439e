/**
 * Page 10,000 of a table by its cursor beside page 1, asked in turn, and the memory that 10,000 rows with all fields take:
 * `npm run bench deep-page`
 */
import { benchDatabases } from './bench-databases.ts'
import { makeData } from './compare/data.ts'
import { documents } from './compare/queries.ts'
import { benchAdministrator, logOn } from './logon.ts'
import { type RunningProgram, startGatewayProgram } from './program.ts'
import { median } from './statistics.ts'

const rounds = 500
const pageLength = 10
const pages = 10_000

async function ask(
  program: RunningProgram,
  headers: Record<string, string>,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<string> {
  const response = await fetch(`${program.url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
  })
  const text = await response.text()
  if (!response.ok || text.includes('"errors"')) throw new Error(text.slice(0, 500))
  return text
}

const pageQuery =
  'query ($after: String) { Port(first: 10, after: $after) { edges { node { id name status } } pageInfo { hasNextPage endCursor } } }'

/** The cursor behind which page 10,000 begins. */
async function cursorOfLastPage(program: RunningProgram, headers: Record<string, string>): Promise<string> {
  const offset = pageLength * (pages - 2)
  const text = await ask(
    program,
    headers,
    `{ Port(offset: ${offset}, limit: ${pageLength}) { edges { cursor } } }`,
  )
  const { data } = JSON.parse(text) as { data: { Port: { edges: { cursor: string }[] } } }
  return data.Port.edges.at(-1)?.cursor ?? ''
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The most memory beside that of the idle program while one client asks for 10,000 rows, once and again and again, in bytes. */
async function memoryOfLongAnswers(
  program: RunningProgram,
  headers: Record<string, string>,
): Promise<{ readonly once: number; readonly often: number }> {
  const idle = await program.memory()
  let peak = idle
  const watch = setInterval(() => {
    void program.memory().then((memory) => {
      peak = Math.max(peak, memory)
    })
  }, 5)
  await ask(program, headers, documents.Q6)
  const once = Math.max(peak, await program.memory()) - idle
  for (let time = 0; time < 50; time += 1) await ask(program, headers, documents.Q6)
  clearInterval(watch)
  return { once, often: peak - idle }
}

const inMegabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)

for (const bench of await benchDatabases()) {
  try {
    const database = await bench.open()
    await makeData(database)
    await database.driver.close()
    await bench.settle()
    const program = await startGatewayProgram([...bench.flags, '--graphiql=false'], benchAdministrator)
    try {
      const headers = await logOn(program.url)
      const memory = await memoryOfLongAnswers(program, headers)
      const after = await cursorOfLastPage(program, headers)
      const last = await ask(program, headers, pageQuery, { after })
      if (!last.includes('"hasNextPage":false')) throw new Error(`Not the last page: ${last}`)
      const times: { readonly first: number[]; readonly last: number[] } = { first: [], last: [] }
      for (let round = 0; round < rounds; round += 1) {
        times.first.push(await timeOf(() => ask(program, headers, pageQuery)))
        times.last.push(await timeOf(() => ask(program, headers, pageQuery, { after })))
      }
      const [first, deep] = [median(times.first.slice(50)), median(times.last.slice(50))]
      console.log(
        `${bench.product}: page 1 ${first.toFixed(3)} ms, page 10,000 ${deep.toFixed(3)} ms (${(deep / first).toFixed(2)}); 10,000 rows take ${inMegabytes(memory.once)} MB beside what the idle program has, 50 times ${inMegabytes(memory.often)} MB.`,
      )
    } finally {
      await program.stop()
    }
  } finally {
    await bench.remove()
  }
}
