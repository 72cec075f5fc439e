/**
 * From loaded rows to the JSON of a response. A shape is compiled once into writers that serve any number of
 * responses; the constant text between two values is one run of bytes. When the output is full, a writer pauses
 * between two rows, and so do the writers around it.
 */
import { PackedRows, type RowSet } from '../../database/row-set.ts'
import type { ColumnCodec } from '../../query/codec/column-codec.ts'
import { emptyLevel, type LoadedLevel, type LoadedPage } from '../../query/levels/loaded-level.ts'
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
} from '../planning/operation-plan.ts'
import { type NestedTemplate, type ObjectTemplate, objectTemplate } from './object-template.ts'
import type { FieldPlace, Pending, ResponseOutput } from './response-output.ts'
import { aggregateWriter, groupsWriter, writeFailure } from './write-aggregates.ts'
import { writeCursor, writeGlobalId } from './write-names.ts'
import { writePacked } from './write-packed.ts'

/** Writes a part of a row. */
type WriteOfRow = (out: ByteWriter, rows: RowSet, row: number) => void

/** Writes what belongs to a row from the levels below; `number` is its number among all rows of its level. */
type WriteBelow = (to: ResponseOutput, number: number, level: LoadedLevel) => Pending

type FieldPart =
  | { readonly kind: 'column'; readonly position: number; readonly codec: ColumnCodec }
  | { readonly kind: 'own'; readonly write: WriteOfRow }
  | { readonly kind: 'below'; readonly write: WriteBelow }

/** Writes one row as an object. */
export class ObjectWriter {
  readonly #template: ObjectTemplate<FieldPart>

  /** `path` is that of the object in the response, with null for the index in each list. */
  constructor({ members }: ObjectShape, path: FieldPlace['path']) {
    this.#template = objectTemplate(members, (shape, key) => fieldPartOf(shape, [...path, key]))
  }

  /** Starts at part number `from`. */
  write(
    to: ResponseOutput,
    rows: RowSet,
    row: number,
    number: number,
    level: LoadedLevel,
    from = 0,
  ): Pending {
    const { parts, end } = this.#template
    const out = to.bytes
    if (rows instanceof PackedRows) {
      for (let index = from; index < parts.length; index += 1) {
        const part = parts[index] as (typeof parts)[number]
        out.copy(part.label, 0, part.label.length)
        if (part.kind === 'column') writePacked(out, rows, row, part.position, part.codec)
        else if (part.kind === 'own') part.write(out, rows, row)
        else {
          const pending = part.write(to, number, level)
          if (pending !== undefined) return this.#continue(pending, to, rows, row, number, level, index + 1)
        }
      }
    } else {
      // Values are converted to bytes together: for short texts, each call costs more than the conversion.
      let text = ''
      for (let index = from; index < parts.length; index += 1) {
        const part = parts[index] as (typeof parts)[number]
        text += part.labelText
        if (part.kind === 'column') {
          const value = rows.value(row, part.position)
          text += value === null ? 'null' : part.codec.show(value)
          continue
        }
        out.write(text)
        text = ''
        if (part.kind === 'own') part.write(out, rows, row)
        else {
          const pending = part.write(to, number, level)
          if (pending !== undefined) return this.#continue(pending, to, rows, row, number, level, index + 1)
        }
      }
      if (text !== '') out.write(text)
    }
    out.copy(end, 0, end.length)
    return undefined
  }

  async #continue(
    pending: Promise<void>,
    ...rest: Required<Parameters<ObjectWriter['write']>>
  ): Promise<void> {
    await pending
    await this.write(...rest)
  }

  /** Writes the only row of a level's page, or null. */
  writePage(to: ResponseOutput, page: LoadedPage | undefined, level: LoadedLevel): Pending {
    if (page === undefined || page.count === 0) {
      to.bytes.write('null')
      return undefined
    }
    to.rows += 1
    return this.write(to, page.rows, page.start, page.firstRow, level)
  }
}

function fieldPartOf(
  shape: FieldShape,
  path: FieldPlace['path'],
): FieldPart | NestedTemplate<FieldPart> | string {
  switch (shape.kind) {
    case 'typeName':
      return `"${shape.name}"`
    case 'column':
      return { kind: 'column', position: shape.position, codec: shape.codec }
    case 'globalId': {
      return { kind: 'own', write: (out, rows, row) => writeGlobalId(out, rows, row, shape) }
    }
    case 'nested':
      return {
        nested: objectTemplate(shape.object.members, (inner, key) => fieldPartOf(inner, [...path, key])),
      }
    case 'reference': {
      const object = new ObjectWriter(shape.object, path)
      return writePageOf({ ...shape, path }, (to, page, level) => object.writePage(to, page, level))
    }
    case 'collection': {
      const connection = new ConnectionWriter(shape.connection, path)
      return writePageOf({ ...shape, path }, (to, page = emptyLoadedPage, level) =>
        connection.write(to, page, level),
      )
    }
    case 'failed': {
      const { error, locations } = shape
      return failingField(error, { path, locations })
    }
    default:
      return assertNever(shape)
  }
}

const emptyLoadedPage: LoadedPage = { ...emptyPage, firstRow: 0 }

function failingField(error: unknown, place: FieldPlace): FieldPart {
  return {
    kind: 'below',
    write(to) {
      to.fail(error, place)
      return undefined
    },
  }
}

/** Writes the page of a relation that belongs to a row; undefined if it has none. */
function writePageOf(
  { relation, path, locations }: FieldPlace & { readonly relation: number },
  writePage: (to: ResponseOutput, page: LoadedPage | undefined, level: LoadedLevel) => Pending,
): FieldPart {
  const place = { path, locations }
  const write: WriteBelow = (to, number, { relations }) => {
    const loaded = relations[relation]
    if (loaded === undefined) return writePage(to, undefined, emptyLevel)
    const { level, pageOfRow, written, failure } = loaded
    const page = pageOfRow[number] ?? -1
    if (failure !== undefined && page >= 0) {
      to.fail(failure, place)
      return undefined
    }
    if (written === undefined) return writePage(to, level.pages[page], level)
    if (written.copy(to, page)) return undefined
    const start = to.bytes.length
    const rowsBefore = to.rows
    const failuresBefore = to.failures.length
    const pending = writePage(to, level.pages[page], level)
    // Each failure has its own path.
    if (pending === undefined && to.failures.length === failuresBefore)
      written.note(to, page, start, to.rows - rowsBefore)
    return pending
  }
  return { kind: 'below', write }
}

/** Writes a part of a list's page other than its rows. */
type WriteOfPage = (out: ByteWriter, page: LoadedPage) => void

type ListPart =
  | { readonly kind: 'page'; readonly write: WriteOfPage }
  | { readonly kind: 'groups'; readonly write: (to: ResponseOutput, page: LoadedPage) => Pending }
  | { readonly kind: 'edges'; readonly edge: EdgeWriter }

/** Writes one page of a list. */
export class ConnectionWriter {
  readonly #template: ObjectTemplate<ListPart>
  /** Whether page information, known only at the end of the list, is selected before the rows. */
  readonly needsEndsFirst: boolean

  constructor({ members }: ConnectionShape, path: FieldPlace['path']) {
    this.#template = objectTemplate(members, (shape, key) => listPartOf(shape, [...path, key]))
    const edges = members.findIndex(({ shape }) => shape.kind === 'edges')
    const pageInfo = members.findIndex(({ shape }) => shape.kind === 'pageInfo')
    this.needsEndsFirst = pageInfo >= 0 && (edges < 0 || pageInfo < edges)
  }

  /** Starts at part number `from`. */
  write(to: ResponseOutput, page: LoadedPage, level: LoadedLevel, from = 0): Pending {
    const { parts, end } = this.#template
    const out = to.bytes
    let known = page
    for (let index = from; index < parts.length; index += 1) {
      const part = parts[index] as (typeof parts)[number]
      out.copy(part.label, 0, part.label.length)
      if (part.kind === 'page') {
        part.write(out, known)
        continue
      }
      if (part.kind === 'groups') {
        const pending = part.write(to, known)
        if (pending === undefined) continue
        return this.#continue(
          pending.then(() => known),
          to,
          level,
          index + 1,
        )
      }
      const written = writeEdges(to, page, level, part.edge)
      if (written instanceof Promise) return this.#continue(written, to, level, index + 1)
      known = written
    }
    out.copy(end, 0, end.length)
    return undefined
  }

  async #continue(
    written: Promise<LoadedPage>,
    to: ResponseOutput,
    level: LoadedLevel,
    from: number,
  ): Promise<void> {
    const known = await written
    await this.write(to, known, level, from)
  }

  /**
   * The same for a list whose edges are written as they are read; the other parts use what is known of the page then.
   */
  async writeAsTheyCome(
    to: ResponseOutput,
    page: LoadedPage,
    writeEdges: (edge: EdgeWriter) => Promise<LoadedPage>,
  ): Promise<void> {
    const { parts, end } = this.#template
    const out = to.bytes
    let known = page
    for (const part of parts) {
      out.copy(part.label, 0, part.label.length)
      if (part.kind === 'edges') known = await writeEdges(part.edge)
      else if (part.kind === 'groups') await part.write(to, known)
      else part.write(out, known)
    }
    out.copy(end, 0, end.length)
  }
}

/** Writes the rows of a page; returns the page as it was written, shorter if a limit cut it. */
function writeEdges(
  to: ResponseOutput,
  page: LoadedPage,
  level: LoadedLevel,
  edge: EdgeWriter,
): LoadedPage | Promise<LoadedPage> {
  to.startList(edge.depth)
  for (let index = 0; index < page.count; index += 1) {
    if (to.isFull) return finishEdges(undefined, index, to, page, level, edge)
    const pending = writeEdge(index, to, page, level, edge)
    if (pending !== undefined) return finishEdges(pending, index + 1, to, page, level, edge)
  }
  to.bytes.write(']')
  return page
}

async function finishEdges(
  pending: Pending,
  from: number,
  to: ResponseOutput,
  page: LoadedPage,
  level: LoadedLevel,
  edge: EdgeWriter,
): Promise<LoadedPage> {
  await pending
  const written = await writeRows(from, to, page, level, edge)
  to.bytes.write(']')
  return written === page.count ? page : { ...page, count: written, hasNextPage: true }
}

/**
 * Writes the rows of a page from one of them on, with pauses. Returns where it stopped: before the end if a limit is
 * reached.
 */
export async function writeRows(
  from: number,
  to: ResponseOutput,
  page: LoadedPage,
  level: LoadedLevel,
  edge: EdgeWriter,
  isFirst = true,
): Promise<number> {
  for (let index = from; index < page.count; index += 1) {
    if (to.isFull) {
      to.truncatedBy ??= to.reached
      if (to.truncatedBy !== undefined) return index
      await to.pause()
    }
    const pending = writeEdge(index, to, page, level, edge, isFirst)
    if (pending !== undefined) await pending
  }
  return page.count
}

function writeEdge(
  index: number,
  to: ResponseOutput,
  { rows, start, step, firstRow }: LoadedPage,
  level: LoadedLevel,
  edge: EdgeWriter,
  isFirst = true,
): Pending {
  if (index > 0 || !isFirst) to.bytes.write(',')
  to.nextRow(edge.depth)
  return edge.write(to, rows, start + index * step, firstRow + index, level)
}

function listPartOf(shape: ConnectionMember, path: FieldPlace['path']): ListPart | string {
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
    case 'aggregates':
      return { kind: 'groups', write: aggregateWriter(shape, new ObjectWriter(shape.object, path), path) }
    case 'groups':
      return { kind: 'groups', write: groupsWriter(shape, new ObjectWriter(shape.object, path), path) }
    case 'failed': {
      const { error, locations } = shape
      return { kind: 'groups', write: (to) => writeFailure(to, error, { path, locations }) }
    }
    case 'edges':
      return { kind: 'edges', edge: new EdgeWriter(shape.members, [...path, null]) }
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

type EdgePart =
  | { readonly kind: 'own'; readonly write: WriteOfRow }
  | { readonly kind: 'node'; readonly object: ObjectWriter }

/** Writes one edge of a list. */
export class EdgeWriter {
  /** In how many lists its list is. */
  readonly depth: number
  readonly #template: ObjectTemplate<EdgePart>

  constructor(
    members: readonly { readonly key: string; readonly shape: EdgeMember }[],
    path: FieldPlace['path'],
  ) {
    this.depth = path.filter((key) => key === null).length - 1
    this.#template = objectTemplate(members, (shape, key) => edgePartOf(shape, [...path, key]))
  }

  /** Starts at part number `from`. */
  write(
    to: ResponseOutput,
    rows: RowSet,
    row: number,
    number: number,
    level: LoadedLevel,
    from = 0,
  ): Pending {
    const { parts, end } = this.#template
    const out = to.bytes
    for (let index = from; index < parts.length; index += 1) {
      const part = parts[index] as (typeof parts)[number]
      out.copy(part.label, 0, part.label.length)
      if (part.kind === 'own') {
        part.write(out, rows, row)
        continue
      }
      const pending = part.object.write(to, rows, row, number, level)
      if (pending !== undefined) return this.#continue(pending, to, rows, row, number, level, index + 1)
    }
    out.copy(end, 0, end.length)
    return undefined
  }

  async #continue(pending: Promise<void>, ...rest: Required<Parameters<EdgeWriter['write']>>): Promise<void> {
    await pending
    await this.write(...rest)
  }
}

function edgePartOf(shape: EdgeMember, path: FieldPlace['path']): EdgePart | string {
  switch (shape.kind) {
    case 'typeName':
      return `"${shape.name}"`
    case 'cursor':
      return { kind: 'own', write: (out, rows, row) => writeCursor(out, rows, row, shape.cursor) }
    case 'node':
      return { kind: 'node', object: new ObjectWriter(shape.object, path) }
    default:
      return assertNever(shape)
  }
}
