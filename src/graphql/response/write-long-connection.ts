/** Writes a list that is too long to be held: its rows are read, followed and written piece by piece. */
import type { Connection } from '../../database/driver.ts'
import type { BindingContext } from '../../query/binding.ts'
import { type LongList, type RowPage, streamSelect } from '../../query/run-select.ts'
import type { CompiledLevel } from '../operation/compile-operation.ts'
import type { ConnectionShape, EdgeMember } from '../operation/operation-plan.ts'
import { type LoadedLevel, loadRelations } from './load-level.ts'
import type { TextWriter } from './text-writer.ts'
import { writeConnectionMember, writeEdge } from './write-response.ts'

/** A long list with what is needed to read and write it. */
export interface LongConnection {
  readonly connection: Connection
  readonly level: CompiledLevel
  readonly list: LongList
  readonly shape: ConnectionShape
  readonly context: BindingContext
  readonly out: TextWriter
  /** Called between rows: a place where what was written may be passed on. */
  readonly pause: () => Promise<void>
}

/** The first and the last row stand for all: page information is about nothing else. */
type Ends = Pick<RowPage, 'rows' | 'hasNextPage'>

export async function writeLongConnection(long: LongConnection): Promise<void> {
  const { shape, list, out } = long
  let ends = asksForEndsFirst(shape) ? await findEnds(long) : undefined
  out.write('{')
  for (const [index, { key, shape: member }] of shape.members.entries()) {
    out.write(index === 0 ? `"${key}":` : `,"${key}":`)
    if (member.kind === 'edges') ends = await writeEdges(member.members, long)
    else writeConnectionMember({ ...list.page, rows: [], ...ends, firstRow: 0 }, emptyLevel, member, out)
  }
  out.write('}')
}

const emptyLevel: LoadedLevel = { pages: [], relations: [] }

/** Whether something that only the end of the list tells is to be written before its rows. */
function asksForEndsFirst({ members }: ConnectionShape): boolean {
  const edges = members.findIndex(({ shape }) => shape.kind === 'edges')
  const pageInfo = members.findIndex(({ shape }) => shape.kind === 'pageInfo')
  return pageInfo >= 0 && (edges < 0 || pageInfo < edges)
}

/** Reads all rows, and keeps none of them. */
async function findEnds({ connection, level, context }: LongConnection): Promise<Ends> {
  const ends = new EndsSoFar()
  for await (const piece of streamSelect(connection, level.select, context, true)) ends.add(piece)
  return ends.found
}

async function writeEdges(
  members: readonly { readonly key: string; readonly shape: EdgeMember }[],
  { connection, level, context, out, pause }: LongConnection,
): Promise<Ends> {
  const ends = new EndsSoFar()
  const alone = level.relations.length === 0
  let isFirst = true
  out.write('[')
  for await (const piece of streamSelect(connection, level.select, context, alone)) {
    ends.add(piece)
    const page = { ...piece, hasPreviousPage: false, total: 0, firstRow: 0 }
    const loaded = {
      pages: [page],
      relations: await loadRelations(connection, level.relations, [page], context),
    }
    for (const [number, row] of piece.rows.entries()) {
      if (!isFirst) out.write(',')
      isFirst = false
      writeEdge({ row, number }, loaded, members, out)
    }
    await pause()
  }
  out.write(']')
  return ends.found
}

class EndsSoFar {
  found: Ends = { rows: [], hasNextPage: false }

  add({ rows, hasNextPage }: Ends): void {
    const first = this.found.rows[0] ?? rows[0]
    const last = rows.at(-1) ?? this.found.rows.at(-1)
    this.found = {
      rows: first === undefined || last === undefined ? [] : [first, last],
      hasNextPage: this.found.hasNextPage || hasNextPage,
    }
  }
}
