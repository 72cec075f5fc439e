import type { Table } from '../database/database-schema.ts'
import { lostTables } from './schema-difference.ts'
import type { SchemaReading, ServedSchema } from './served-schema.ts'

/** How the tables are read and asked. */
export interface TableSource {
  read(): Promise<SchemaReading>
  /** Whether a table can be read, as soon as no statement replaces it; never fails. */
  answers(table: Table): Promise<boolean>
}

/** So many tables are asked, and so often the tables are read for one change. */
const mostAsked = 20
const mostReadings = 5

/**
 * Reads the tables, and again if something is missing that was there before: while MariaDB puts the changed copy of a table in its place,
 * its catalogue leaves the table out.
 */
export async function readSettled(
  source: TableSource,
  before: ServedSchema | undefined,
): Promise<SchemaReading> {
  let reading = await source.read()
  for (let count = 1; before !== undefined && count < mostReadings; count += 1) {
    const { hash } = reading.served.version
    const lost = before.version.hash === hash ? [] : await lostTables(before, reading.served)
    if (lost.length === 0) break
    let isThere = false
    for (const { table, isMissing } of lost.slice(0, mostAsked))
      isThere = ((await source.answers(table)) && isMissing) || isThere
    reading = await source.read()
    if (!isThere && reading.served.version.hash === hash) break
  }
  return reading
}
