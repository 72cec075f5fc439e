/** The records that a mutation names. */
import type { Row, SqlValue } from '../../database/sql-value.ts'
import { AppError } from '../../errors/app-error.ts'
import { literalArgument } from '../../query/argument.ts'
import { columnValueOf } from '../../query/column-value.ts'
import { compileSelect } from '../../query/compile-select.ts'
import type { Filter } from '../../query/filter.ts'
import type { RowKey } from '../../query/mutate-plan.ts'
import { globalIdFilter, isTypeOf } from '../../query/read-filters.ts'
import { runSelect } from '../../query/run-select.ts'
import { identifierOf } from '../../record/record-address.ts'
import { addressColumns, rowKeyOf } from '../../record/record-rules.ts'
import { missingRecord, type RecordTarget } from '../../record/record-target.ts'
import { filterOfKeys, parted, selectMatching } from '../../record/select-rows.ts'
import { globalIdField, keyArgument } from '../model/naming.ts'
import { ofRecord } from './input-documents.ts'
import type { WriteCall } from './write-call.ts'

/** The most records of one `updateAll` or `deleteAll`. */
const listLimit = 1000

type Method = 'PATCH' | 'DELETE'

/** The record that the arguments name, by its GlobalId or by its key, with the caller's rights to a call of it. */
export async function addressedBy(call: WriteCall, method: Method): Promise<RecordTarget> {
  const { args, writes } = call
  const { entity, names } = writes
  const keyNames = entity.rules.key.map((name) => keyArgument(names.get(name) ?? name))
  const given = keyNames.map((name) => args[name] ?? undefined)
  const isById = typeof args[globalIdField] === 'string'
  const isWhole = given.every((value) => value !== undefined)
  if (isById ? given.some((value) => value !== undefined) : !isWhole) {
    const detail = `Name the record either by ${globalIdField}, or by ${keyNames.join(' and ')}.`
    throw new AppError('PARAMETER_INVALID', { detail })
  }
  if (!isById)
    return targetOf(valuesOfKey(given, call), { identifier: given.map(String).join() }, method, call)
  const values = await valuesOfGlobalId(call)
  return targetOf(values, isKeyRead(call) ? undefined : byGlobalId(call), method, call)
}

/** The record with the key that an input holds. */
export function addressedByInput(call: WriteCall): RecordTarget {
  const { args, writes } = call
  const { entity, names } = writes
  const input = args.input as Readonly<Record<string, unknown>>
  const given = entity.rules.key.map((name) => ({ name: names.get(name) ?? name }))
  const mistakes = given.flatMap(({ name }) =>
    (input[name] ?? undefined) === undefined
      ? [{ pointer: `/input/${name}`, detail: 'This field is required: it says which record is meant.' }]
      : [],
  )
  if (mistakes.length > 0) throw new AppError('RECORD_INVALID', { mistakes })
  const values = given.map(({ name }) => input[name])
  const held = valuesOfKey(values, call)
  if (held === undefined || identifierOf(held, entity) === undefined) {
    const detail = `No record of ${entity.name} can have this key.`
    const wrong = addressColumns(entity).map(
      (column, index) => columnValueOf(column, values[index]) === undefined,
    )
    // Where each value could be one of its column, they are no key together.
    const told = given.filter((_, index) => wrong[index] === true || !wrong.includes(true))
    throw new AppError('RECORD_INVALID', {
      mistakes: told.map(({ name }) => ({ pointer: `/input/${name}`, detail })),
    })
  }
  return targetOf(held, { identifier: values.map(String).join() }, 'PATCH', call)
}

/** A record that was found, by the values of its address and the key of its row. */
export interface FoundKey {
  readonly address: readonly SqlValue[]
  readonly row: RowKey
}

/** The records with these keys, and the caller's rights to a call of each. Errors say which one they are about. */
export async function recordsCalled(
  keys: readonly FoundKey[],
  method: Method,
  call: WriteCall,
): Promise<readonly RecordTarget[]> {
  const shown = isKeyRead(call) ? undefined : unread
  const targets: RecordTarget[] = []
  for (const { address } of keys) {
    const { identifier } = shown ?? { identifier: identifierOf(address, call.writes.entity) }
    const target = async () => targetOf(address, shown, method, call)
    targets.push(await ofRecord(identifier ?? unread.identifier, target))
  }
  return targets
}

/** What errors call a record. */
type ShownName = Pick<RecordTarget, 'identifier' | 'identifiedBy'>

/** In place of a key that the caller may not read. */
const unread: ShownName = { identifier: '…' }

function byGlobalId({ args }: WriteCall): ShownName {
  return { identifier: String(args[globalIdField]), identifiedBy: globalIdField }
}

/** Whether errors may tell the key of a record that the caller has not named by it. */
function isKeyRead({ type, writes: { entity } }: WriteCall): boolean {
  const read = new Set([...type.filterable.columns.values()].map(({ name }) => name))
  return addressColumns(entity).every(({ name }) => read.has(name) && type.rights?.masks.has(name) !== true)
}

/**
 * `shown` is what errors call the record; by default its address. Throws ROLE_NOT_ALLOWED, and RECORD_NOT_FOUND where no
 * address can hold the key.
 */
function targetOf(
  values: readonly SqlValue[] | undefined,
  shown: ShownName | undefined,
  method: Method,
  call: WriteCall,
): RecordTarget {
  const { entity } = call.writes
  const address = values && identifierOf(values, entity)
  if (values === undefined || address === undefined) {
    throw missing(shown ?? unread, call)
  }
  const key = addressColumns(entity).map((column, index) => ({ column, value: values[index] ?? null }))
  const path = `/apis/${entity.resource}/`
  try {
    return {
      entity: call.writing.allowedFor(method, path + address, entity),
      ...(shown ?? { identifier: address }),
      key,
    }
  } catch (error) {
    if (shown === undefined || !(error instanceof AppError)) throw error
    throw new AppError(error.code, {
      detail: `The role does not allow ${method} on ${path}${shown.identifier}.`,
    })
  }
}

function missing(shown: ShownName, call: WriteCall): AppError {
  return missingRecord(
    { entity: call.writes.entity, ...shown, key: undefined },
    ifMatchIn(call) !== undefined,
  )
}

/** The ETag that a record must have. */
export function ifMatchIn({ args }: WriteCall): string | undefined {
  return typeof args.ifMatch === 'string' ? args.ifMatch : undefined
}

/** Undefined if no record can have such a key. */
function valuesOfKey(
  given: readonly unknown[],
  { writes: { entity } }: WriteCall,
): readonly SqlValue[] | undefined {
  const values = addressColumns(entity).map((column, index) => columnValueOf(column, given[index]))
  return values.every((value): value is SqlValue => value !== undefined) ? values : undefined
}

/** Those of a row that the caller reaches; it may see them as null. */
async function valuesOfGlobalId(call: WriteCall): Promise<readonly SqlValue[]> {
  const { args, type, variables, writes, writing } = call
  const { entity } = writes
  const { parts } = writing
  const { globalId } = type.filterable
  const id = literalArgument(args[globalIdField], globalIdField)
  const isOfType = globalId !== undefined && isTypeOf(globalId, id.ask('globalIdType') ?? '')
  if (!isOfType) {
    throw new AppError('PARAMETER_INVALID', {
      detail: `${globalIdField} takes the GlobalId of a ${type.name}.`,
    })
  }
  const { connection } = parts.enclosing
  const selection = {
    table: entity.table,
    columns: addressColumns(entity),
    reader: type.rights && { rights: { ...type.rights, masks: new Map() }, variables },
  }
  const filter = globalIdFilter(globalId, id)
  const [row] = await selectMatching(selection, filter, connection, parts.database.dialect)
  if (row === undefined) throw missing(byGlobalId(call), call)
  return row
}

/** The records that `where` selects, locked, in the order of their keys. Throws RECORD_INVALID if they are too many. */
export async function matchingKeys(call: WriteCall): Promise<readonly FoundKey[]> {
  const { type, where = { kind: 'and', filters: [] }, variables, writes, writing } = call
  const { entity } = writes
  const { connection } = writing.parts.enclosing
  const { dialect } = writing.parts.database
  const key = rowKeyOf(entity)
  const columns = [...key, ...addressColumns(entity)]
  const wanted = { rows: true, total: false, hasNextPage: false, hasPreviousPage: false }
  const plan = { table: entity.table, rights: type.rights, columns, wanted }
  const rowsOf = async (
    select: Pick<Parameters<typeof compileSelect>[0], 'filter' | 'orderBy' | 'page' | 'lock'> &
      Partial<Pick<Parameters<typeof compileSelect>[0], 'rights'>>,
  ) => {
    const compiled = compileSelect({ ...plan, ...select }, dialect)
    const [page] = await runSelect(connection, compiled, { variables, syntax: dialect.syntax })
    return page?.rows ?? []
  }
  const limit = { kind: 'literal', value: listLimit + 1, label: 'limit' } as const
  const orderBy = key.map((column) => ({ column, direction: 'asc' }) as const)
  const found = await rowsOf({ filter: where, orderBy, page: { limit } })
  if (found.length > listLimit) {
    const detail = `More than ${listLimit} records meet the conditions, and one mutation changes so many at most. Use narrower conditions, several times.`
    throw new AppError('RECORD_INVALID', { mistakes: [{ pointer: '/where', detail }] })
  }
  if (found.length === 0) return []
  const keyIn = (row: readonly SqlValue[]): RowKey =>
    key.map((column, index) => ({ column, value: row[index] ?? null }))
  const locked: Row[] = []
  for (const keys of parted(found.map(keyIn))) {
    const filter: Filter = { kind: 'and', filters: [where, filterOfKeys(keys)] }
    locked.push(...(await rowsOf({ filter, orderBy, page: {}, lock: 'exclusive' })))
  }
  // What the caller sees as null is an address all the same.
  const isHidden = addressColumns(entity).some(({ name }) => type.rights?.masks.has(name) === true)
  const rows: Row[] = isHidden ? [] : locked
  for (const keys of isHidden ? parted(locked.map(keyIn)) : []) {
    rows.push(...(await rowsOf({ rights: undefined, filter: filterOfKeys(keys), orderBy, page: {} })))
  }
  return rows.map((row) => ({ address: row.slice(key.length), row: keyIn(row) }))
}
