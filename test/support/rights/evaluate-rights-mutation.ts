/** What the contract says of mutations: each is one or more calls of the published API, with the rights to these. */
import type { PlainRow } from '../plain-evaluator.ts'
import { graphqlView, isChosen, matching, type PlainView, plainGrants } from './plain-rights.ts'
import { evaluateWrite, pathOf, type Refusal, type WriteMethod, type WriteOutcome } from './plain-writes.ts'
import type { RightsBench } from './rights-bench.ts'
import type { Document, RightsInput, RightsMutation } from './rights-mutation.ts'
import type { State, WorldEntity } from './rights-world.ts'

export type RightsOutcome =
  | { readonly refusals: ReadonlySet<Refusal> }
  | {
      readonly state: State
      /** The value of the field. */
      readonly shown: unknown
      /** Whether the caller's schema may lack something that was sent, though the published API would take it. */
      readonly mayBeUnknown: boolean
    }

type Scope = Pick<RightsBench, 'caller' | 'world'> & {
  readonly entity: WorldEntity
  readonly view: PlainView
}

/** Evaluates one field of a mutation. Without refusals in the set, the caller's schema cannot have it. */
export function evaluateRightsMutation(
  mutation: RightsMutation,
  { caller, world }: RightsBench,
  state: State,
): RightsOutcome {
  const { entity } = mutation
  const view = graphqlView(caller, entity, world, state)
  if (view === undefined) return refusedBy()
  const scope = { caller, world, entity, view }
  switch (mutation.kind) {
    case 'create':
    case 'createAll':
      return created(mutation.inputs, mutation, scope, state)
    case 'update':
    case 'delete':
      return writtenOne(mutation, scope, state)
    case 'upsert':
      return upserted(mutation, scope, state)
    default:
      return writtenMany(mutation, scope, state)
  }
}

const refusedBy = (...refusals: readonly Refusal[]) => ({ refusals: new Set(refusals) })

/** What is refused of the call itself may be told before what is wrong in place of a reference. */
const inPlaceOr = (refusals: Iterable<Refusal>) => refusedBy(...refusals, 401, 404, 412)

function show({ view }: Scope, row: PlainRow, then: State, { entity, fields }: RightsMutation): unknown {
  const seen = view.seen(row, then)
  if (seen === undefined) return null
  const shown = fields.map((name) => [name, seen[name]] as const)
  return { __typename: `${entity.name}_`, ...Object.fromEntries(shown) }
}

function created(
  inputs: readonly RightsInput[],
  mutation: RightsMutation,
  scope: Scope,
  before: State,
): RightsOutcome {
  const placed = documentsOf(inputs, scope, before)
  if ('refusals' in placed) return placed
  const { caller, world, entity } = scope
  const body = mutation.kind === 'createAll' ? placed.documents : placed.documents[0]
  const outcome = evaluateWrite({ method: 'POST', entity, body }, caller, world, placed.state)
  if ('refusals' in outcome) return outcome
  const shown = outcome.rows.map((row) => show(scope, row, outcome.state, mutation))
  const mayBeUnknown = placed.mayBeUnknown || inputs.some((input) => isOdd(input, 'POST', undefined, scope))
  return { state: outcome.state, shown: mutation.kind === 'createAll' ? shown : shown[0], mayBeUnknown }
}

function writtenOne(
  mutation: RightsMutation & { readonly kind: 'update' | 'delete' },
  scope: Scope,
  before: State,
): RightsOutcome {
  const { caller, world, entity, view } = scope
  const { id, GlobalId, tag } = mutation.address
  const row = rowWith(id, entity, before)
  const isHidden = GlobalId !== undefined && (row === undefined || view.seen(row, before) === undefined)
  if (isHidden) return refusedBy(tag === undefined ? 404 : 412)
  if (mutation.kind === 'delete') {
    const outcome = evaluateWrite({ method: 'DELETE', entity, id, tag: tag?.kind }, caller, world, before)
    if ('refusals' in outcome) return outcome
    return { state: outcome.state, shown: row && show(scope, row, before, mutation), mayBeUnknown: false }
  }
  const placed = documentsOf([mutation.input], scope, before)
  if ('refusals' in placed) return placed
  const [body] = placed.documents
  const outcome = evaluateWrite(
    { method: 'PATCH', entity, id, body, tag: tag?.kind },
    caller,
    world,
    placed.state,
  )
  return changedOne(
    outcome,
    placed.mayBeUnknown || isOdd(mutation.input, 'PATCH', id, scope),
    mutation,
    scope,
  )
}

function changedOne(
  outcome: WriteOutcome,
  mayBeUnknown: boolean,
  mutation: RightsMutation,
  scope: Scope,
): RightsOutcome {
  if ('refusals' in outcome) return outcome
  const [row] = outcome.rows
  return { state: outcome.state, shown: row && show(scope, row, outcome.state, mutation), mayBeUnknown }
}

/** Both calls must be allowed, whichever it becomes. */
function upserted(
  mutation: RightsMutation & { readonly kind: 'upsert' },
  scope: Scope,
  before: State,
): RightsOutcome {
  const { caller, world, entity } = scope
  const { id, input } = mutation
  const path = pathOf({ entity, id })
  const authorities = matching(caller, 'PATCH', path)
  if (authorities.length === 0 || matching(caller, 'POST', pathOf({ entity })).length === 0)
    return refusedBy(401)
  const writers = plainGrants(authorities, entity, caller, world)
  const grants = [...writers, ...plainGrants(matching(caller, 'GET', path), entity, caller, world)]
  const row = rowWith(id, entity, before)
  const isUnrestricted = writers.some(({ isUnconditional }) => isUnconditional)
  const isThere = row !== undefined && (isUnrestricted || grants.some((grant) => grant.admits(row, before)))
  const isChangeable = [...entity.columns.keys()].some((name) => isChosen(name, writers))
  if (!isThere) {
    const outcome = created([input], mutation, scope, before)
    return 'refusals' in outcome
      ? outcome
      : { ...outcome, mayBeUnknown: outcome.mayBeUnknown || !isChangeable }
  }
  const placed = documentsOf([input], scope, before)
  if ('refusals' in placed) return placed
  const [body] = placed.documents
  const outcome = evaluateWrite({ method: 'PATCH', entity, id, body }, caller, world, placed.state)
  const mayBeUnknown = placed.mayBeUnknown || !isChangeable || isOdd(input, 'POST', undefined, scope)
  const lacks = [...entity.columns.values()].some(
    ({ name, nullable, isSystem }) => !nullable && !isSystem && !Object.hasOwn(body ?? {}, name),
  )
  return changedOne(outcome, mayBeUnknown || lacks, mutation, scope)
}

function writtenMany(
  mutation: RightsMutation & { readonly kind: 'updateAll' | 'deleteAll' },
  scope: Scope,
  before: State,
): RightsOutcome {
  const { caller, world, entity, view } = scope
  const { ids, kind } = mutation
  if (ids !== undefined && !view.fields.has('id')) return refusedBy()
  const method = kind === 'updateAll' ? 'PATCH' : 'DELETE'
  const rows = (before.get(entity.name) ?? [])
    .filter((row) => {
      const seen = view.seen(row, before)
      return seen !== undefined && (ids === undefined || ids.includes(String(seen.id)))
    })
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  const pathTo = ({ id }: PlainRow) => pathOf({ entity, id: String(id) })
  if (rows.some((row) => matching(caller, method, pathTo(row)).length === 0)) return refusedBy(401)
  const isUpdate = mutation.kind === 'updateAll' && rows.length > 0
  const placed = isUpdate
    ? documentsOf([mutation.input], scope, before)
    : { documents: [], state: before, mayBeUnknown: true }
  if ('refusals' in placed) return placed
  let { state, mayBeUnknown } = placed
  let changed = rows
  for (const row of rows) {
    const [body] = placed.documents
    const outcome = evaluateWrite({ method, entity, id: String(row.id), body }, caller, world, state)
    if ('refusals' in outcome) return outcome
    state = outcome.state
    changed = changed.map((one) => (one === row ? (outcome.rows[0] ?? row) : one))
    if (mutation.kind === 'updateAll') mayBeUnknown ||= isOdd(mutation.input, 'PATCH', String(row.id), scope)
  }
  const records = changed.map((row) => show(scope, row, kind === 'updateAll' ? state : before, mutation))
  return { state, shown: { count: rows.length, records }, mayBeUnknown }
}

/** New instances come after all others. */
const sortKey = ({ instance }: PlainRow) => (instance === '(new)' ? '~' : String(instance))

function rowWith(id: string, { name }: WorldEntity, state: State): PlainRow | undefined {
  return (state.get(name) ?? []).find((one) => one.id === id)
}

/** Whether an input has fields that no right to the call lets be chosen, or none: the schema may lack these. */
function isOdd(
  { document, inPlace }: RightsInput,
  method: WriteMethod,
  id: string | undefined,
  { caller, world, entity }: Scope,
): boolean {
  const writers = plainGrants(matching(caller, method, pathOf({ entity, id })), entity, caller, world)
  const names = Object.keys(document)
  return (
    names.length + inPlace.size === 0 ||
    names.some((name) => entity.columns.get(name)?.isSystem === true || !isChosen(name, writers))
  )
}

interface Placed {
  readonly documents: readonly Document[]
  readonly state: State
  readonly mayBeUnknown: boolean
}

/** The documents of inputs, after what these create in place. */
function documentsOf(
  inputs: readonly RightsInput[],
  { caller, world, entity, view }: Scope,
  before: State,
): Placed | { readonly refusals: ReadonlySet<Refusal> } {
  const documents = inputs.map(({ document }) => ({ ...document }))
  let state = before
  let mayBeUnknown = false
  for (const [relation, { own, other, target }] of entity.relations) {
    const uses = inputs.flatMap(({ inPlace }, index) => {
      const given = inPlace.get(relation)
      const document = documents[index]
      return given === undefined || document === undefined ? [] : [{ given, document }]
    })
    if (uses.length === 0) continue
    const [ownField = '', otherField = ''] = [own[0], other[0]]
    const aim = world.get(target) as WorldEntity
    const aimView = graphqlView(caller, aim, world, state)
    if (!view.fields.has(ownField) || aimView?.fields.has(otherField) !== true) return refusedBy()
    const creating = uses.flatMap(({ given, document }) =>
      'create' in given ? [{ create: given.create, document }] : [],
    )
    if (creating.length > 0) {
      const body = creating.map(({ create }) => create)
      const outcome = evaluateWrite({ method: 'POST', entity: aim, body }, caller, world, state)
      if ('refusals' in outcome) return inPlaceOr(outcome.refusals)
      state = outcome.state
      const scope = { caller, world, entity: aim, view: aimView }
      mayBeUnknown ||= body.some((document) =>
        isOdd({ document, inPlace: new Map() }, 'POST', undefined, scope),
      )
      for (const [index, { document }] of creating.entries()) {
        document[ownField] = outcome.rows[index]?.[otherField] ?? null
        if (document[ownField] === null) return inPlaceOr([422])
      }
    }
    for (const { given, document } of uses) {
      if ('create' in given) continue
      const connected = (state.get(target) ?? [])
        .map((row) => aimView.seen(row, state))
        .find((seen) => seen?.id === given.connect.id)
      const value = connected?.[otherField] ?? null
      // Nothing can refer to a record by a field that is null, or is seen so.
      if (!aimView.fields.has('id') || value === null) return inPlaceOr([422])
      document[ownField] = value
    }
  }
  return { documents, state, mayBeUnknown }
}
