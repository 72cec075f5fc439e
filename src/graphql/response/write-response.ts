/**
 * From loaded rows to the JSON of an answer, written once. A shape is compiled once into writers, which then serve
 * any number of answers: what stands between two values is one run of bytes.
 */
import type { ColumnType } from '../../database/database-schema.ts'
import { PackedRows, type RowSet } from '../../database/row-set.ts'
import { emptyPage } from '../../query/run-select.ts'
import { assertNever } from '../../util/assert-never.ts'
import type { ByteWriter } from '../../util/byte-writer.ts'
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
import { type ObjectTemplate, objectTemplate } from './object-template.ts'
import { writeCursor, writeGlobalId } from './write-names.ts'
import { writePacked } from './write-packed.ts'
import { writeValue } from './write-value.ts'

/** Writes something of a row; `number` is its number among all rows of the level. */
type WriteOfRow = (out: ByteWriter, rows: RowSet, row: number, number: number, level: LoadedLevel) => void

type FieldPart =
  | { readonly kind: 'column'; readonly position: number; readonly type: ColumnType }
  | { readonly kind: 'other'; readonly write: WriteOfRow }

/** Writes one row as an object. */
export class ObjectWriter {
  readonly #template: ObjectTemplate<FieldPart>

  constructor({ members }: ObjectShape) {
    this.#template = objectTemplate(members, fieldPartOf)
  }

  write(out: ByteWriter, rows: RowSet, row: number, number: number, level: LoadedLevel): void {
    const { parts, end } = this.#template
    if (rows instanceof PackedRows) {
      for (const part of parts) {
        out.copy(part.label, 0, part.label.length)
        if (part.kind === 'other') part.write(out, rows, row, number, level)
        else writePacked(out, rows, row, part.position, part.type)
      }
    } else {
      // Values become bytes together: each call costs more than a short text.
      let text = ''
      for (const part of parts) {
        text += part.labelText
        if (part.kind === 'column') {
          text += writeValue(rows.value(row, part.position), part.type)
          continue
        }
        out.write(text)
        text = ''
        part.write(out, rows, row, number, level)
      }
      if (text !== '') out.write(text)
    }
    out.copy(end, 0, end.length)
  }

  /** Writes the only row of a level's page, or null. */
  writePage(out: ByteWriter, page: LoadedPage | undefined, level: LoadedLevel): void {
    if (page === undefined || page.count === 0) out.write('null')
    else this.write(out, page.rows, page.start, page.firstRow, level)
  }
}

function fieldPartOf(shape: FieldShape): FieldPart | string {
  switch (shape.kind) {
    case 'typeName':
      return `"${shape.name}"`
    case 'column':
      return { kind: 'column', position: shape.position, type: shape.type }
    case 'globalId': {
      const { typeName, positions } = shape
      return { kind: 'other', write: (out, rows, row) => writeGlobalId(out, rows, row, typeName, positions) }
    }
    case 'reference': {
      const { relation } = shape
      const object = new ObjectWriter(shape.object)
      return writePageOf(relation, (out, page, level) => object.writePage(out, page, level))
    }
    case 'collection': {
      const { relation } = shape
      const connection = new ConnectionWriter(shape.connection)
      return writePageOf(relation, (out, page = emptyLoadedPage, level) => connection.write(out, page, level))
    }
    default:
      return assertNever(shape)
  }
}

const emptyLoadedPage: LoadedPage = { ...emptyPage, firstRow: 0 }
const emptyLevel: LoadedLevel = { pages: [], relations: [] }

/** Writes the page of a relation that belongs to a row; undefined where it has none. */
function writePageOf(
  relation: number,
  writePage: (out: ByteWriter, page: LoadedPage | undefined, level: LoadedLevel) => void,
): FieldPart {
  const write: WriteOfRow = (out, _rows, _row, number, { relations }) => {
    const loaded = relations[relation]
    if (loaded === undefined) return writePage(out, undefined, emptyLevel)
    const { level, pageOfRow, written } = loaded
    const page = pageOfRow[number] ?? -1
    if (written?.copy(out, page)) return
    const start = out.length
    writePage(out, level.pages[page], level)
    written?.note(out, page, start)
  }
  return { kind: 'other', write }
}

/** Writes something of a list's page that is not its rows. */
type WriteOfPage = (out: ByteWriter, page: LoadedPage) => void

type ListPart =
  | { readonly kind: 'page'; readonly write: WriteOfPage }
  | { readonly kind: 'edges'; readonly edge: EdgeWriter }

/** Writes one page of a list. */
export class ConnectionWriter {
  readonly #template: ObjectTemplate<ListPart>
  /** Whether something that only the end of the list tells is written before its rows. */
  readonly needsEndsFirst: boolean

  constructor({ members }: ConnectionShape) {
    this.#template = objectTemplate(members, listPartOf)
    const edges = members.findIndex(({ shape }) => shape.kind === 'edges')
    const pageInfo = members.findIndex(({ shape }) => shape.kind === 'pageInfo')
    this.needsEndsFirst = pageInfo >= 0 && (edges < 0 || pageInfo < edges)
  }

  write(out: ByteWriter, page: LoadedPage, level: LoadedLevel): void {
    const { parts, end } = this.#template
    for (const part of parts) {
      out.copy(part.label, 0, part.label.length)
      if (part.kind === 'edges') writeEdges(out, page, level, part.edge)
      else part.write(out, page)
    }
    out.copy(end, 0, end.length)
  }

  /** The same for a list whose edges are written as they come; what is known of its page at their end is for the rest. */
  async writeAsTheyCome(
    out: ByteWriter,
    page: LoadedPage,
    writeEdges: (edge: EdgeWriter) => Promise<LoadedPage>,
  ): Promise<void> {
    const { parts, end } = this.#template
    let known = page
    for (const part of parts) {
      out.copy(part.label, 0, part.label.length)
      if (part.kind === 'edges') known = await writeEdges(part.edge)
      else part.write(out, known)
    }
    out.copy(end, 0, end.length)
  }
}

function writeEdges(out: ByteWriter, page: LoadedPage, level: LoadedLevel, edge: EdgeWriter): void {
  const { rows, start, step, count, firstRow } = page
  out.write('[')
  for (let index = 0; index < count; index += 1) {
    if (index > 0) out.write(',')
    edge.write(out, rows, start + index * step, firstRow + index, level)
  }
  out.write(']')
}

function listPartOf(shape: ConnectionMember): ListPart | string {
  switch (shape.kind) {
    case 'typeName':
      return `"${shape.name}"`
    case 'totalCount':
      return { kind: 'page', write: (out, page) => out.write(String(page.total)) }
    case 'pageInfo': {
      const { parts, end } = objectTemplate(shape.members, pageInfoPartOf)
      const write: WriteOfPage = (out, page) => {
        for (const part of parts) {
          out.copy(part.label, 0, part.label.length)
          part.write(out, page)
        }
        out.copy(end, 0, end.length)
      }
      return { kind: 'page', write }
    }
    case 'edges':
      return { kind: 'edges', edge: new EdgeWriter(shape.members) }
    default:
      return assertNever(shape)
  }
}

function pageInfoPartOf(shape: PageInfoMember): { readonly write: WriteOfPage } | string {
  switch (shape.kind) {
    case 'typeName':
      return `"${shape.name}"`
    case 'hasNextPage':
    case 'hasPreviousPage': {
      const { kind } = shape
      return { write: (out, page) => out.write(String(page[kind])) }
    }
    case 'startCursor':
      return { write: (out, page) => writeCursorAt(out, page, 0, shape.cursor) }
    case 'endCursor':
      return { write: (out, page) => writeCursorAt(out, page, page.count - 1, shape.cursor) }
    default:
      return assertNever(shape)
  }
}

function writeCursorAt(out: ByteWriter, page: LoadedPage, index: number, cursor: CursorShape): void {
  if (page.count === 0) out.write('null')
  else writeCursor(out, page.rows, page.start + index * page.step, cursor)
}

/** Writes one edge of a list. */
export class EdgeWriter {
  readonly #template: ObjectTemplate<{ readonly write: WriteOfRow }>

  constructor(members: readonly { readonly key: string; readonly shape: EdgeMember }[]) {
    this.#template = objectTemplate(members, edgePartOf)
  }

  write(out: ByteWriter, rows: RowSet, row: number, number: number, level: LoadedLevel): void {
    const { parts, end } = this.#template
    for (const part of parts) {
      out.copy(part.label, 0, part.label.length)
      part.write(out, rows, row, number, level)
    }
    out.copy(end, 0, end.length)
  }
}

function edgePartOf(shape: EdgeMember): { readonly write: WriteOfRow } | string {
  switch (shape.kind) {
    case 'typeName':
      return `"${shape.name}"`
    case 'cursor':
      return { write: (out, rows, row) => writeCursor(out, rows, row, shape.cursor) }
    case 'node': {
      const object = new ObjectWriter(shape.object)
      return { write: (out, rows, row, number, level) => object.write(out, rows, row, number, level) }
    }
    default:
      return assertNever(shape)
  }
}
