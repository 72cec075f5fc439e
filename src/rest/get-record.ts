import { timeoutBehind } from '../database/response-timeout.ts'
import { assertMatch, type Conditions, etagOf, isKnown } from '../http/etag.ts'
import { compileSelect } from '../query/compile-select.ts'
import { compileRelations } from '../query/levels/compile-level.ts'
import { hasMoreRows } from '../query/levels/count-rows.ts'
import { type LoadedSlice, SliceLoader } from '../query/levels/slice-loader.ts'
import { mergedVariables } from '../query/rule-filter.ts'
import { selectPages } from '../query/run-select.ts'
import { readUnder } from '../record/permitted-rows.ts'
import { recordAt } from '../record/record-address.ts'
import { readableLayoutOf } from '../record/record-layout.ts'
import type { PublishedEntity } from '../record/record-rules.ts'
import { missingRecord, type RecordTarget } from '../record/record-target.ts'
import { filterOfKeys, selectRow } from '../record/select-rows.ts'
import { pieceTimeoutMs } from '../util/answer-pieces.ts'
import { TimeLimit } from '../util/time-limit.ts'
import { wholeOrPieces } from '../util/whole-or-pieces.ts'
import type { AskedFields } from './fields/asked-fields.ts'
import { type ShownRecords, shownRecords } from './fields/shown-records.ts'
import { type ListLimits, tooManyHeldRows, tooManyShown } from './list-limits.ts'
import { ListResponse } from './list-response.ts'
import type { RestParts, RestResponse } from './rest-parts.ts'

/** `GET` of one record. */
export interface RecordCall {
  readonly identifier: string
  readonly conditions: Conditions
  /** Undefined for all fields. */
  readonly asked: AskedFields | undefined
}

/** The whole record, or the fields that are asked for. Its tag is that of all fields that the caller may read. */
export function getRecord(
  entity: PublishedEntity,
  call: RecordCall,
  parts: RestParts,
  limits: ListLimits,
): Promise<RestResponse> {
  const { asked } = call
  return asked === undefined
    ? getWhole(entity, call, parts)
    : getFields(entity, { ...call, asked }, parts, limits)
}

async function getWhole(
  entity: PublishedEntity,
  { identifier, conditions }: RecordCall,
  { database: { dialect, driver }, cancellation }: RestParts,
): Promise<RestResponse> {
  const { key, ...target } = recordAt(entity, identifier)
  const { columns, write } = readableLayoutOf(entity)
  const selection = key && { table: entity.table, columns, ...readUnder(key, entity) }
  const row =
    selection &&
    (await driver.read((connection) => selectRow(selection, connection, dialect), {
      isolation: 'statement',
      cancellation,
    }))
  if (row === undefined) throw missingRecord({ key, ...target })
  const body = write(row)
  assertMatch(conditions, body)
  const headers = { etag: etagOf(body) }
  return isKnown(conditions.ifNoneMatch, body) ? { status: 304, headers } : { status: 200, headers, body }
}

async function getFields(
  entity: PublishedEntity,
  { identifier, conditions, asked }: RecordCall & { readonly asked: AskedFields },
  parts: RestParts,
  limits: ListLimits,
): Promise<RestResponse> {
  const whole = readableLayoutOf(entity)
  const shown = shownRecords(entity, asked, whole.columns)
  const time = new TimeLimit(limits.timeMs, parts.cancellation)
  const target = recordAt(entity, identifier)
  const slice = await readRecord(target, shown, { ...parts, cancellation: time }, limits).catch((error) => {
    throw timeoutBehind(error, time)
  })
  if (slice === undefined) throw missingRecord(target)
  const body = whole.write(slice.page.rows.row(slice.page.start))
  assertMatch(conditions, body)
  const headers = { etag: etagOf(body) }
  // The tag says nothing of related records.
  const isTagOfAll = shown.relations.length === 0
  if (isTagOfAll && isKnown(conditions.ifNoneMatch, body)) return { status: 304, headers }
  const written = await wholeOrPieces<string>(async (emit) => {
    const { write: writeRecord } = shown
    const response = new ListResponse({ writeRecord, isList: false, mostBytes: limits.bytes, time, emit })
    await response.write(slice.page, slice.level)
    return response.end()
  }, pieceTimeoutMs)
  return written.kind === 'whole'
    ? { status: 200, headers, body: written.whole }
    : { status: 200, headers, pieces: written.pieces }
}

/** A record with the related ones. */
async function readRecord(
  { entity, key }: RecordTarget,
  { columns, relations, rights }: ShownRecords,
  { database: { dialect, driver }, cancellation }: RestParts,
  { rows, heldRows }: ListLimits,
): Promise<LoadedSlice | undefined> {
  if (key === undefined) return undefined
  const { table } = entity
  const read = readUnder(key, entity)
  const select = compileSelect(
    {
      table,
      rights: read.reader?.rights,
      columns,
      filter: filterOfKeys([read.key]),
      orderBy: [],
      page: {},
      wanted: { rows: true, total: false, hasNextPage: false, hasPreviousPage: false },
    },
    dialect,
  )
  const level = { timesShown: 1, relations: compileRelations(relations, dialect, heldRows) }
  const variables = mergedVariables(rights.map((one) => one.variables()))
  const context = { variables, syntax: dialect.syntax }
  return driver.read(
    async (connection) => {
      const [page] = await selectPages(connection, select, context)
      if (page === undefined || page.count === 0) return undefined
      const slice = await new SliceLoader({ connection, level, context, mostHeldRows: heldRows }).load(
        page,
        0,
      )
      if (slice === undefined) throw tooManyHeldRows(heldRows)
      if (hasMoreRows(slice.level, rows)) throw tooManyShown(rows)
      return slice
    },
    { isolation: relations.length === 0 ? 'statement' : 'snapshot', cancellation },
  )
}
