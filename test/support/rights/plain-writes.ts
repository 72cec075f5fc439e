/** What the contract says of writes by a caller whose rights have conditions. */
import type { PlainRow, PlainValue } from '../plain-evaluator.ts'
import { matching, type PlainCaller, type PlainGrant, plainGrants, viewOf } from './plain-rights.ts'
import { restValue, type State, type World, type WorldColumn, type WorldEntity } from './rights-world.ts'

export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface WriteRequest {
  readonly method: WriteMethod
  readonly entity: WorldEntity
  /** Of the record in the address; undefined for the list. */
  readonly id?: string | undefined
  /** A record, or a list of them, as published APIs take them. */
  readonly body?: unknown
  /** Whether the tag that is sent is the one of what the caller sees now. */
  readonly tag?: 'current' | 'other' | undefined
}

/** Why a write is refused: its status and, where it is told apart, its code. */
export type Refusal = 401 | 404 | 409 | 412 | 422 | 'ROW_NOT_ALLOWED' | 'FIELD_NOT_ALLOWED'

export type WriteOutcome =
  | { readonly refusals: ReadonlySet<Refusal> }
  | { readonly state: State; readonly rows: readonly PlainRow[] }

interface WriteScope {
  readonly request: WriteRequest
  readonly caller: PlainCaller
  readonly world: World
  readonly state: State
  readonly readers: readonly PlainGrant[]
  readonly writers: readonly PlainGrant[]
  /** Whether an authority without conditions lets everything be written. */
  readonly writesAll: boolean
}

type Document = Readonly<Record<string, unknown>>

const refusedBy = (...refusals: readonly Refusal[]): WriteOutcome => ({ refusals: new Set(refusals) })

/** The path of a request. */
export function pathOf({ entity, id }: Pick<WriteRequest, 'entity' | 'id'>): string {
  return `/apis/${entity.resource}${id === undefined ? '' : `/${id}`}`
}

/** What a write must be answered, and what it leaves. */
export function evaluateWrite(
  request: WriteRequest,
  caller: PlainCaller,
  world: World,
  state: State,
): WriteOutcome {
  const { method, entity } = request
  const path = pathOf(request)
  const authorities = matching(caller, method, path)
  if (authorities.length === 0) return refusedBy(401)
  const writers = plainGrants(authorities, entity, caller, world)
  const readers = plainGrants(matching(caller, 'GET', path), entity, caller, world)
  const writesAll = writers.some(({ isUnconditional }) => isUnconditional)
  const scope: WriteScope = { request, caller, world, state, readers, writers, writesAll }
  if (method === 'DELETE') return removed(scope)
  const refusals = new Set<Refusal>()
  if (method === 'POST') return created(scope, attemptsOf(scope))
  for (const attempt of attemptsOf(scope)) {
    const outcome = changed(scope, attempt)
    if (!('refusals' in outcome)) return outcome
    for (const refusal of outcome.refusals) refusals.add(refusal)
  }
  return { refusals }
}

/** First without the authorities that set something, then with each of them. */
function attemptsOf({ writers, writesAll }: WriteScope): readonly (readonly PlainGrant[])[] {
  const setting = writesAll ? [] : writers.filter(({ set }) => set.size > 0)
  const plain = writesAll ? writers : writers.filter(({ set }) => set.size === 0)
  const withSet = setting.map((grant) => [...plain, grant])
  return plain.length > 0 || withSet.length === 0 ? [plain, ...withSet] : withSet
}

/** Whether the caller knows of a field by its right to read it, in some record. */
function readsField(name: string, { readers, writesAll }: WriteScope): boolean {
  return readers.some((grant) => grant.reads(name)) || (writesAll && readers.length === 0)
}

/** Each record with the first attempt that lets it through. */
function created(scope: WriteScope, attempts: readonly (readonly PlainGrant[])[]): WriteOutcome {
  const { body } = scope.request
  const documents = (Array.isArray(body) ? body : [body]) as readonly Document[]
  const found = new Set<Refusal>()
  for (let chosen = documents.map(() => 0); ; ) {
    const { state, rows, refusals } = createdWith(
      scope,
      documents,
      chosen.map((choice) => attempts[choice] ?? []),
    )
    for (const refusal of refusals.flatMap((some) => [...some])) found.add(refusal)
    if (refusals.every(({ size }) => size === 0)) return { state, rows }
    const next = chosen.map((choice, index) =>
      (refusals[index]?.size ?? 0) > 0 ? Math.min(choice + 1, attempts.length - 1) : choice,
    )
    if (next.every((choice, index) => choice === chosen[index])) return { refusals: found }
    chosen = next
  }
}

/** New records with the grants of each, and why each is refused: first for itself, then for others, then for the rights. */
function createdWith(
  scope: WriteScope,
  documents: readonly Document[],
  grants: readonly (readonly PlainGrant[])[],
): {
  readonly state: State
  readonly rows: readonly PlainRow[]
  readonly refusals: readonly ReadonlySet<Refusal>[]
} {
  const { request, state, writesAll } = scope
  const { entity } = request
  const ownRefusals = documents.map(() => new Set<Refusal>())
  const rows = documents.map((document, index) => {
    const attempt = grants[index] ?? []
    const set = setBy(attempt, writesAll)
    const refusals = ownRefusals[index] ?? new Set()
    for (const [name, value] of Object.entries(document)) {
      const column = entity.columns.get(name)
      if (column === undefined) refusals.add(422)
      else if (column.isSystem) refusals.add(422).add('FIELD_NOT_ALLOWED')
      else if (set.has(name)) {
        if (restValue(column, set.get(name) ?? null) !== value) refusals.add('FIELD_NOT_ALLOWED')
      } else if (!writesAll && !attempt.some((grant) => grant.writes(name))) {
        refusals.add(readsField(name, scope) ? 'FIELD_NOT_ALLOWED' : 422)
      }
    }
    const row: Record<string, PlainValue> = { instance: '(new)', xid: 'x', xname: 'n' }
    for (const column of entity.columns.values()) {
      const { name } = column
      if (column.isSystem) continue
      row[name] = set.get(name) ?? plainValue(column, document[name])
      if (name === 'id' && !Object.hasOwn(document, 'id')) row.id = '(made)'
      if (!column.nullable && row[name] === null) refusals.add(422)
    }
    return row as PlainRow
  })
  const after = withRows(state, entity.name, [...(state.get(entity.name) ?? []), ...rows])
  const result = { state: after, rows }
  if (ownRefusals.some(({ size }) => size > 0)) return { ...result, refusals: ownRefusals }
  const valueRefusals = rows.map((row, index) => {
    const refusals = new Set<Refusal>()
    addValueRefusals(row, () => false, setBy(grants[index] ?? [], writesAll), after, scope, refusals)
    return refusals
  })
  if (writesAll || valueRefusals.some(({ size }) => size > 0)) return { ...result, refusals: valueRefusals }
  const rightsRefusals = rows.map((row, index): ReadonlySet<Refusal> => {
    const attempt = grants[index] ?? []
    const admitting = attempt.filter((grant) => grant.admits(row, after))
    const written = [...Object.keys(documents[index] ?? {}), ...setBy(attempt, writesAll).keys()]
    const isGiven = (name: string) => admitting.some((grant) => grant.set.has(name) || grant.writes(name))
    if (admitting.length === 0) return new Set(['ROW_NOT_ALLOWED'])
    return new Set(written.every(isGiven) ? [] : ['FIELD_NOT_ALLOWED', 'ROW_NOT_ALLOWED'])
  })
  return { ...result, refusals: rightsRefusals }
}

function setBy(grants: readonly PlainGrant[], writesAll: boolean): ReadonlyMap<string, PlainValue> {
  return new Map(writesAll ? [] : grants.flatMap(({ set }) => [...set]))
}

function plainValue({ isFlag }: WorldColumn, value: unknown): PlainValue {
  if (value === undefined || value === null) return null
  return isFlag ? Number(value) : (value as PlainValue)
}

function withRows(state: State, name: string, rows: readonly PlainRow[]): State {
  return new Map([...state, [name, rows]])
}

/** What other records say of new values: references lead to reachable rows, and unique values are not taken. */
function addValueRefusals(
  row: PlainRow,
  isKept: (name: string) => boolean,
  set: ReadonlyMap<string, PlainValue>,
  after: State,
  scope: WriteScope,
  refusals: Set<Refusal>,
): void {
  const { entity } = scope.request
  for (const { name, refersTo, isUnique } of entity.columns.values()) {
    const value = row[name] ?? null
    // An identifier that the product makes is like no other.
    if (value === null || value === '(made)' || isKept(name)) continue
    if (isUnique && (after.get(entity.name) ?? []).filter((other) => other[name] === value).length > 1)
      refusals.add(409)
    if (refersTo === undefined) continue
    const targets = refersTo.entity === entity.name ? after : scope.state
    const found = (targets.get(refersTo.entity) ?? []).filter((other) => other[refersTo.column] === value)
    const isOwn = found.some((other) => !(scope.state.get(refersTo.entity) ?? []).includes(other))
    const isReached =
      set.has(name) || isOwn || found.some((other) => mayReferTo(refersTo.entity, other, scope))
    if (found.length === 0 || !isReached) refusals.add(422)
  }
}

/** Another entity's rows are those that its list, or GraphQL, shows the caller. */
function mayReferTo(name: string, row: PlainRow, { caller, world, state, writesAll }: WriteScope): boolean {
  const entity = world.get(name) as WorldEntity
  const authorities = [
    ...matching(caller, 'GET', `/apis/${entity.resource}`),
    ...matching(caller, 'POST', '/graphql'),
    ...matching(caller, 'POST', `/graphql/${name}`),
  ]
  if (authorities.length === 0) return writesAll
  return plainGrants(authorities, entity, caller, world).some((grant) => grant.admits(row, state))
}

/** The record that is addressed; why it cannot be written if so. */
function target(scope: WriteScope): PlainRow | ReadonlySet<Refusal> {
  const { request, state, readers, writers, writesAll } = scope
  const { entity, id, tag } = request
  const row = (state.get(entity.name) ?? []).find((one) => one.id === id)
  const isMissing: ReadonlySet<Refusal> = new Set([tag === undefined ? 404 : 412])
  if (row === undefined) return isMissing
  const isWritten = writesAll || writers.some((grant) => grant.admits(row, state))
  const isRead = readers.some((grant) => grant.admits(row, state))
  if (!(isWritten || isRead)) return isMissing
  const refusals = new Set<Refusal>()
  if (tag === 'other') refusals.add(412)
  if (!isWritten) refusals.add('ROW_NOT_ALLOWED')
  return refusals.size > 0 ? refusals : row
}

function isRow(found: PlainRow | ReadonlySet<Refusal>): found is PlainRow {
  return !(found instanceof Set)
}

function changed(scope: WriteScope, attempt: readonly PlainGrant[]): WriteOutcome {
  const { request, state, readers, writesAll } = scope
  const { entity, method } = request
  const row = target(scope)
  if (!isRow(row)) return { refusals: row }
  const admitting = attempt.filter((grant) => grant.admits(row, state))
  if (!writesAll && admitting.length === 0) return refusedBy('ROW_NOT_ALLOWED')
  const set = setBy(admitting, writesAll)
  const seesAll = writesAll && readers.length === 0
  const seen = seesAll ? row : viewOf(readers, entity, state).seen(row, state)
  const refusals = new Set<Refusal>()
  const next: Record<string, PlainValue> = { ...row, xid: 'x', xname: 'n' }
  const sent = new Set<string>()
  const document = request.body as Document
  for (const [name, value] of Object.entries(document)) {
    const column = entity.columns.get(name)
    if (column === undefined) {
      refusals.add(422)
      continue
    }
    const isRead = readsField(name, scope)
    const shown = isRead ? restValue(column, seen?.[name] ?? null) : undefined
    const mayWrite = writesAll || admitting.some((grant) => grant.writes(name))
    if (set.has(name)) {
      if (restValue(column, set.get(name) ?? null) !== value) refusals.add('FIELD_NOT_ALLOWED')
    } else if (column.isSystem) {
      if (!isRead || shown !== value) refusals.add(422).add('FIELD_NOT_ALLOWED')
    } else if (!mayWrite) {
      if (!isRead) refusals.add(422)
      else if (shown !== value) refusals.add('FIELD_NOT_ALLOWED')
    } else if (!(isRead && seen !== undefined && shown === value)) {
      next[name] = plainValue(column, value)
      sent.add(name)
    }
  }
  for (const { name, nullable, isSystem } of entity.columns.values()) {
    if (set.has(name)) next[name] = set.get(name) ?? null
    const mayWrite = writesAll || admitting.some((grant) => grant.writes(name))
    const isLeftOut = !Object.hasOwn(document, name) && !isSystem && name !== 'id' && !set.has(name)
    if (method !== 'PUT' || !isLeftOut || !mayWrite) continue
    // A field that is seen as null keeps what is behind that.
    const isSeenAsNull = readsField(name, scope) && seen !== undefined && seen[name] === null
    if (isSeenAsNull) continue
    if (!nullable) refusals.add(422)
    next[name] = null
  }
  for (const { name, nullable } of entity.columns.values())
    if (!nullable && next[name] === null) refusals.add(422)
  const rows = (state.get(entity.name) ?? []).map((one) => (one === row ? next : one))
  const after = withRows(state, entity.name, rows)
  // What was sent is new to who does not see that it was there.
  const isKept = (name: string) => next[name] === row[name] && !sent.has(name)
  addValueRefusals(next, isKept, set, after, scope, refusals)
  const isLeftBehind = isReferred(row, state, scope, (column) => next[column] !== row[column])
  if (isLeftBehind) refusals.add(409)
  if (!writesAll && !attempt.some((grant) => grant.admits(next, after))) refusals.add('ROW_NOT_ALLOWED')
  return refusals.size > 0 ? { refusals } : { state: after, rows: [next] }
}

/** Whether other records refer to this one by a column. */
function isReferred(
  row: PlainRow,
  state: State,
  { world, request }: WriteScope,
  by: (column: string) => boolean,
): boolean {
  return [...world.values()].some(({ name, columns }) =>
    [...columns.values()].some(
      ({ name: own, refersTo }) =>
        refersTo?.entity === request.entity.name &&
        by(refersTo.column) &&
        (state.get(name) ?? []).some(
          (other) => other !== row && other[own] === row[refersTo.column] && other[own] !== null,
        ),
    ),
  )
}

function removed(scope: WriteScope): WriteOutcome {
  const { request, state } = scope
  const row = target(scope)
  if (!isRow(row)) return { refusals: row }
  if (isReferred(row, state, scope, () => true)) return refusedBy(409)
  const rows = (state.get(request.entity.name) ?? []).filter((one) => one !== row)
  return { state: withRows(state, request.entity.name, rows), rows: [] }
}
