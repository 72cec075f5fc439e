/** Writes aggregates and groups of a list. */
import { ListedRows, type RowSet } from '../../database/row-set.ts'
import { valuesOfNone } from '../../query/aggregate-plan.ts'
import { emptyLevel, type LoadedLevel, type LoadedPage } from '../../query/levels/loaded-level.ts'
import type { AggregateRows } from '../../query/run-select.ts'
import type { ConnectionMember } from '../planning/operation-plan.ts'
import type { FieldPlace, Pending, ResponseOutput } from './response-output.ts'

/** Writes one row as an object. */
interface RowWriter {
  write(to: ResponseOutput, rows: RowSet, row: number, number: number, level: LoadedLevel): Pending
}

type WriteOfPage = (to: ResponseOutput, page: LoadedPage) => Pending

/** Writes the row of all rows together. */
export function aggregateWriter(
  { index, values, locations }: Extract<ConnectionMember, { kind: 'aggregates' }>,
  writer: RowWriter,
  path: FieldPlace['path'],
): WriteOfPage {
  const place = { path, locations }
  const none = { rows: new ListedRows([valuesOfNone(values)]), start: 0, count: 1 }
  return (to, { aggregates }) => {
    const { rows, start, count, failure }: AggregateRows = aggregates[index] ?? none
    if (failure !== undefined) return writeFailure(to, failure, place)
    return count === 0
      ? writer.write(to, none.rows, 0, 0, emptyLevel)
      : writer.write(to, rows, start, 0, emptyLevel)
  }
}

/** Writes a list of groups, each of which counts as a row. */
export function groupsWriter(
  { index, locations }: Extract<ConnectionMember, { kind: 'groups' }>,
  writer: RowWriter,
  path: FieldPlace['path'],
): WriteOfPage {
  const place = { path, locations }
  return (to, { aggregates }) => {
    const groups = aggregates[index]
    if (groups?.failure !== undefined) return writeFailure(to, groups.failure, place)
    to.bytes.write('[')
    const next = groups === undefined ? undefined : writeGroups(to, groups, writer, 0)
    if (groups !== undefined && next !== undefined) return writeRest(to, groups, writer, next)
    to.bytes.write(']')
    return undefined
  }
}

/** Writes null for a field that failed. */
export function writeFailure(to: ResponseOutput, failure: unknown, place: FieldPlace): Pending {
  to.fail(failure, place)
  return undefined
}

/** Writes groups until the output is full; returns the next one, undefined at the end. */
function writeGroups(
  to: ResponseOutput,
  { rows, start, count }: AggregateRows,
  writer: RowWriter,
  from: number,
): number | undefined {
  for (let index = from; index < count; index += 1) {
    if (to.isFull && index > from) return index
    if (index > 0) to.bytes.write(',')
    to.rows += 1
    // The values of a group are in its row: nothing is waited for.
    void writer.write(to, rows, start + index, 0, emptyLevel)
  }
  return undefined
}

async function writeRest(
  to: ResponseOutput,
  groups: AggregateRows,
  writer: RowWriter,
  from: number,
): Promise<void> {
  let next: number | undefined = from
  while (next !== undefined) {
    to.truncatedBy ??= to.reached
    if (to.truncatedBy !== undefined) break
    await to.pause()
    next = writeGroups(to, groups, writer, next)
  }
  to.bytes.write(']')
}
