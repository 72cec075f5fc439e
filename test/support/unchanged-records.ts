import type { OddTable } from './odd-tables.ts'
import type { TestGateway } from './test-gateway.ts'

interface ShownRecord {
  readonly id: number
  readonly v: unknown
}

/** What goes wrong, in a sentence each, where the records of a table are sent back as they are shown. */
export async function checkUnchanged(
  { name, type }: OddTable,
  { request }: Pick<TestGateway, 'request'>,
): Promise<readonly string[]> {
  const listed = await request('GET', `/apis/${name}s`)
  if (listed.status !== 200) return [`${name} ${type}: ${JSON.stringify(listed.body)}`]
  const mistakes: string[] = []
  for (const record of listed.body as readonly ShownRecord[]) {
    const path = `/apis/${name}s/${record.id}`
    const patched = await request('PATCH', path, { body: { v: record.v } })
    const replaced = await request('PUT', path, { body: record })
    for (const { status, body } of [patched, replaced])
      if (status !== 200 || JSON.stringify(body) !== JSON.stringify(record))
        mistakes.push(`${name} ${type}: ${JSON.stringify(record)} becomes ${status} ${JSON.stringify(body)}`)
  }
  return mistakes
}
