/** From loaded rows and their shape to the JSON text of an answer, written once. */
import type { Row } from '../../database/driver.ts'
import { encodeCursor } from '../../query/cursor.ts'
import { encodeGlobalId } from '../../query/global-id.ts'
import { assertNever } from '../../util/assert-never.ts'
import type {
  ConnectionMember,
  ConnectionShape,
  CursorShape,
  EdgeMember,
  FieldShape,
  ObjectShape,
  PageInfoMember,
} from '../operation/operation-plan.ts'
import type { LoadedLevel, LoadedPage } from './load-level.ts'
import type { TextWriter } from './text-writer.ts'
import { writeValue } from './write-value.ts'

/** One row and its number among the rows of its level. */
interface Place {
  readonly row: Row
  readonly number: number
}

/** Writes the only row of a level's page, or null. */
export function writeObjectOfPage(
  page: LoadedPage | undefined,
  level: LoadedLevel,
  shape: ObjectShape,
  out: TextWriter,
): void {
  const row = page?.rows[0]
  if (page === undefined || row === undefined) out.write('null')
  else writeObject({ row, number: page.firstRow }, level, shape, out)
}

function writeObject(place: Place, level: LoadedLevel, { members }: ObjectShape, out: TextWriter): void {
  writeMembers(members, out, (shape) => writeField(place, level, shape, out))
}

function writeField(place: Place, level: LoadedLevel, shape: FieldShape, out: TextWriter): void {
  switch (shape.kind) {
    case 'typeName':
      out.write(`"${shape.name}"`)
      break
    case 'column':
      out.write(writeValue(place.row[shape.position] ?? null, shape.type))
      break
    case 'globalId':
      out.write(`"${encodeGlobalId(shape.typeName, valuesAt(place.row, shape.positions))}"`)
      break
    case 'reference': {
      const { page, below } = pageBelow(place, level, shape.relation)
      writeObjectOfPage(page, below, shape.object, out)
      break
    }
    case 'collection': {
      const { page, below } = pageBelow(place, level, shape.relation)
      writeConnection(page ?? emptyPage, below, shape.connection, out)
      break
    }
    default:
      assertNever(shape)
  }
}

const emptyPage: LoadedPage = { rows: [], hasNextPage: false, hasPreviousPage: false, total: 0, firstRow: 0 }
const emptyLevel: LoadedLevel = { pages: [], relations: [] }

function pageBelow(place: Place, level: LoadedLevel, relation: number) {
  const loaded = level.relations[relation]
  const page = loaded?.level.pages[loaded.pageOfRow[place.number] ?? -1]
  return { page, below: loaded?.level ?? emptyLevel }
}

/** Writes one page of a list. */
export function writeConnection(
  page: LoadedPage,
  level: LoadedLevel,
  shape: ConnectionShape,
  out: TextWriter,
): void {
  writeMembers(shape.members, out, (member) => writeConnectionMember(page, level, member, out))
}

/** Writes one member of a list's page; the edges are those of the page's rows. */
export function writeConnectionMember(
  page: LoadedPage,
  level: LoadedLevel,
  member: ConnectionMember,
  out: TextWriter,
): void {
  switch (member.kind) {
    case 'typeName':
      out.write(`"${member.name}"`)
      break
    case 'totalCount':
      out.write(String(page.total))
      break
    case 'pageInfo':
      writeMembers(member.members, out, (shape) => out.write(pageInfoText(page, shape)))
      break
    case 'edges':
      out.write('[')
      page.rows.forEach((row, index) => {
        if (index > 0) out.write(',')
        writeEdge({ row, number: page.firstRow + index }, level, member.members, out)
      })
      out.write(']')
      break
    default:
      assertNever(member)
  }
}

/** Writes one edge of a list. */
export function writeEdge(
  place: Place,
  level: LoadedLevel,
  members: readonly { readonly key: string; readonly shape: EdgeMember }[],
  out: TextWriter,
): void {
  writeMembers(members, out, (shape) => {
    if (shape.kind === 'node') writeObject(place, level, shape.object, out)
    else out.write(shape.kind === 'cursor' ? cursorText(place.row, shape.cursor) : `"${shape.name}"`)
  })
}

function pageInfoText(page: LoadedPage, shape: PageInfoMember): string {
  switch (shape.kind) {
    case 'typeName':
      return `"${shape.name}"`
    case 'hasNextPage':
    case 'hasPreviousPage':
      return String(page[shape.kind])
    case 'startCursor':
      return cursorText(page.rows[0], shape.cursor)
    case 'endCursor':
      return cursorText(page.rows.at(-1), shape.cursor)
    default:
      return assertNever(shape)
  }
}

function cursorText(row: Row | undefined, { order, positions }: CursorShape): string {
  return row === undefined ? 'null' : `"${encodeCursor(order, valuesAt(row, positions))}"`
}

function valuesAt(row: Row, positions: readonly number[]): Row {
  return positions.map((position) => row[position] ?? null)
}

function writeMembers<Shape>(
  members: readonly { readonly key: string; readonly shape: Shape }[],
  out: TextWriter,
  writeShape: (shape: Shape) => void,
): void {
  out.write('{')
  members.forEach(({ key, shape }, index) => {
    // A response key is a GraphQL name: nothing in it needs escaping.
    out.write(index === 0 ? `"${key}":` : `,"${key}":`)
    writeShape(shape)
  })
  out.write('}')
}
