import type { FoundPage } from '../shell/areas.ts'
import { pathOfTable } from './table-view.ts'
import { readTables } from './tables.ts'

/** The first tables with a text in one of their names. */
export async function findTables(text: string, signal: AbortSignal): Promise<readonly FoundPage[]> {
  const tables = await readTables(text, { limit: 8 }, signal)
  return tables.map(({ name, table }) => ({
    path: pathOfTable(name),
    label: name,
    ...(table === name ? {} : { description: table }),
  }))
}
