/** What a response shows of records: the columns and levels that are read for it, and its JSON text. */
import type { Column } from '../../database/database-schema.ts'
import type { RowSet } from '../../database/row-set.ts'
import { literalArgument } from '../../query/argument.ts'
import { columnsForKeysOf } from '../../query/key-columns.ts'
import { LevelDraft } from '../../query/levels/level-draft.ts'
import type { LevelPlan, RelationPlan } from '../../query/levels/level-plan.ts'
import type { LoadedLevel } from '../../query/levels/loaded-level.ts'
import { readOrder } from '../../query/read-order.ts'
import { readableLayoutOf } from '../../record/record-layout.ts'
import type { RecordRights } from '../../record/record-rights.ts'
import type { PublishedEntity, RelatedEntity, ValueCodec } from '../../record/record-rules.ts'
import type { AskedFields } from './asked-fields.ts'
import { type FieldTree, readFields } from './read-fields.ts'

/** See the head of this file. */
export interface ShownRecords {
  /** What is read of each record. */
  readonly columns: readonly Column[]
  /** What is read of related records. */
  readonly relations: readonly RelationPlan[]
  /** The rights on all entities that are read. */
  readonly rights: readonly RecordRights[]
  readonly write: WriteRecord
}

/**
 * The JSON text of a record: whole, or in parts if related records belong to it. `number` is the number of its row among
 * all rows of `level`.
 */
export type WriteRecord = (
  rows: RowSet,
  row: number,
  number: number,
  level: LoadedLevel,
) => string | Iterable<string>

/**
 * The fields that are asked for; all that the caller may read, if nothing is. `first` are columns that are read before
 * them. Throws as `readFields` does.
 */
export function shownRecords(
  entity: PublishedEntity,
  asked: AskedFields | undefined,
  first: readonly Column[] = [],
): ShownRecords {
  const rights: RecordRights[] = []
  if (asked === undefined) {
    if (entity.rights !== undefined) rights.push(entity.rights)
    const { columns, write } = readableLayoutOf(entity)
    return { columns, relations: [], rights, write: (rows, row) => write(rows.row(row)) }
  }
  const draft = new LevelDraft()
  for (const column of first) draft.positionOf(column)
  const shape = shapeOf(readFields(asked, entity), draft, rights)
  const isFlat = draft.relations.length === 0
  const write: WriteRecord = isFlat
    ? (rows, row) => writeFlat(shape, rows, row)
    : (rows, row, number, level) => partsOf(shape, rows, row, number, level)
  return { columns: draft.columns, relations: draft.relations, rights, write }
}

/** How the rows of a level are written. */
type RecordShape = readonly ShownMember[]

type ShownMember =
  | {
      readonly kind: 'value'
      /** The name as JSON, with a colon. */
      readonly label: string
      readonly position: number
      readonly writeJson: ValueCodec['writeJson']
    }
  /** A related record, or null; or a list of them. */
  | {
      readonly kind: 'one' | 'many'
      readonly label: string
      /** The index of the relation in the level. */
      readonly relation: number
      readonly shape: RecordShape
    }

function shapeOf({ entity, members }: FieldTree, draft: LevelDraft, rights: RecordRights[]): RecordShape {
  if (entity.rights !== undefined) rights.push(entity.rights)
  return [...members].map(([name, member]) => {
    const label = `${JSON.stringify(name)}:`
    if ('column' in member) {
      const { column, writeJson } = member
      return { kind: 'value', label, position: draft.positionOf(column), writeJson }
    }
    const { relation, fields } = member
    const below = new LevelDraft()
    const shape = shapeOf(fields, below, rights)
    const cardinality = relation.isList ? 'many' : 'one'
    const index = draft.addRelation({
      keyPositions: relation.own.map((column) => draft.positionOf(column)),
      cardinality,
      level: relatedLevel(relation, below),
    })
    return { kind: cardinality, label, relation: index, shape }
  })
}

const absent = literalArgument(undefined, 'order')

/** Related records, in the order of their key. */
function relatedLevel(
  { entity, own, other, isList }: RelatedEntity,
  { columns, relations }: LevelDraft,
): LevelPlan {
  const { table, rights } = entity
  return {
    select: {
      table,
      rights: rights?.read?.table,
      columns,
      orderBy: isList ? readOrder(absent, absent, { columns: table.columns }, table, true) : [],
      page: {},
      wanted: { rows: true, total: false, hasNextPage: false, hasPreviousPage: false },
      keyColumns: columnsForKeysOf(own, other),
    },
    timesShown: 1,
    relations,
  }
}

function writeFlat(shape: RecordShape, rows: RowSet, row: number): string {
  let text = '{'
  for (const member of shape) {
    if (text !== '{') text += ','
    if (member.kind === 'value') text += member.label + textOfValue(member, rows, row)
  }
  return `${text}}`
}

function textOfValue(
  { position, writeJson }: Extract<ShownMember, { kind: 'value' }>,
  rows: RowSet,
  row: number,
): string {
  const value = rows.value(row, position)
  return value === null ? 'null' : writeJson(value)
}

/** The text of a record with related ones, in parts of at most one record. */
function* partsOf(
  shape: RecordShape,
  rows: RowSet,
  row: number,
  number: number,
  level: LoadedLevel,
): Generator<string, void, void> {
  let text = '{'
  for (const [index, member] of shape.entries()) {
    text += index === 0 ? member.label : `,${member.label}`
    if (member.kind === 'value') {
      text += textOfValue(member, rows, row)
      continue
    }
    yield text
    yield* relatedParts(member, number, level)
    text = ''
  }
  yield `${text}}`
}

function* relatedParts(
  { kind, relation, shape }: Exclude<ShownMember, { kind: 'value' }>,
  number: number,
  { relations }: LoadedLevel,
): Generator<string, void, void> {
  const below = relations[relation]
  const page = below?.level.pages[below.pageOfRow[number] ?? -1]
  if (below === undefined || page === undefined || page.count === 0) {
    yield kind === 'one' ? 'null' : '[]'
    return
  }
  const { rows, start, step, count, firstRow } = page
  const shown = kind === 'one' ? 1 : count
  if (kind === 'many') yield '['
  for (let index = 0; index < shown; index += 1) {
    if (index > 0) yield ','
    yield* partsOf(shape, rows, start + index * step, firstRow + index, below.level)
  }
  if (kind === 'many') yield ']'
}
