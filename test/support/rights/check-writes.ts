/** Random writes of the account, compared with what the contract says of them. */
import { isDeepStrictEqual } from 'node:util'
import type { PlainRow } from '../plain-evaluator.ts'
import type { Random } from '../random.ts'
import type { Answer } from '../test-gateway.ts'
import { matching, plainGrants, viewOf } from './plain-rights.ts'
import { evaluateWrite, pathOf, type WriteMethod, type WriteRequest } from './plain-writes.ts'
import { ids12, type RightsBench, randomDocument } from './rights-bench.ts'
import { restRecord, restValue, type State, type WorldColumn, type WorldEntity } from './rights-world.ts'

/** One random write; undefined if it was answered, and did, what the contract says, otherwise a description. */
export async function checkWrite(bench: RightsBench, random: Random): Promise<string | undefined> {
  const { caller, world, state } = bench
  const special = random.pick([refusedWrite, refusedWrite, mixedList, mixedList, undefined, undefined])
  const request = special?.(bench, random) ?? randomWrite(bench, random)
  const { method, entity, body } = request
  const path = pathOf(request)
  const tag = request.tag === undefined ? undefined : await tagFor(bench, request, random)
  const sent: WriteRequest = { ...request, tag: tag?.kind }
  const outcome = evaluateWrite(sent, caller, world, state)
  const answer = await bench.call(method, path, body, tag ? { 'if-match': tag.text } : {})
  const after = await bench.readState()
  const told = `${method} ${path} ${JSON.stringify(body)} ${JSON.stringify(tag ?? '')}\nanswered ${answer.status} ${JSON.stringify(answer.body)}`
  if ('refusals' in outcome) {
    const wanted = [...outcome.refusals]
    if (!wanted.some((refusal) => isAnsweredBy(answer, refusal)))
      return `${told}\nexpected one of ${wanted.join(', ')}`
    return isDeepStrictEqual(after, state) ? undefined : `${told}\nIt was refused and changed something.`
  }
  const success = { POST: 201, PUT: 200, PATCH: 200, DELETE: 204 }[method]
  if (answer.status !== success) return `${told}\nexpected ${success}`
  const expected = withInstances(outcome.state, after)
  if (!isDeepStrictEqual(sortedRows(expected), sortedRows(after)))
    return `${told}\nexpected rows\n${described(expected.get(entity.name))}\nfound\n${described(after.get(entity.name))}`
  if (method === 'DELETE') return undefined
  const readers = plainGrants(matching(caller, 'GET', path), entity, caller, world)
  const view = viewOf(readers, entity, after)
  const all = outcome.state.get(entity.name) ?? []
  const written = outcome.rows.map((row) => {
    const { instance } = expected.get(entity.name)?.[all.indexOf(row)] ?? {}
    const now = (after.get(entity.name) ?? []).find((one) => one.instance === instance) as PlainRow
    if (writesUnseen(bench, request)) return restRecord(entity, now, new Set(entity.columns.keys()))
    const seen = view.seen(now, after)
    return seen === undefined ? {} : restRecord(entity, seen, view.fields)
  })
  const shown = Array.isArray(body) ? written : written[0]
  return isDeepStrictEqual(answer.body, shown) ? undefined : `${told}\nexpected ${JSON.stringify(shown)}`
}

function isAnsweredBy({ status, body }: Answer, refusal: number | string): boolean {
  const { code } = body as { readonly code?: string }
  return typeof refusal === 'number' ? status === refusal : status === 403 && code === refusal
}

/** New rows get what only the product makes. Their instances sort in the order in which they were sent. */
export function withInstances(expected: State, after: State): State {
  return new Map([...expected].map(([name, rows]) => [name, asMade(rows, after.get(name) ?? [])]))
}

function asMade(expected: readonly PlainRow[], after: readonly PlainRow[]): readonly PlainRow[] {
  const isKnown = (row: PlainRow) =>
    expected.some(({ id, instance }) => id === row.id || instance === row.instance)
  const made = after
    .filter((row) => !isKnown(row))
    .toSorted((a, b) => (String(a.instance) < String(b.instance) ? -1 : 1))
  return expected.map((row) => {
    if (row.instance !== '(new)') return row
    const found = row.id === '(made)' ? made.shift() : after.find(({ id }) => id === row.id)
    return { ...row, instance: found?.instance ?? null, id: found?.id ?? null }
  })
}

export function sortedRows(state: State): unknown {
  const byId = (a: PlainRow, b: PlainRow) => (String(a.id) < String(b.id) ? -1 : 1)
  return [...state].map(([name, rows]) => [name, rows.toSorted(byId)])
}

export function described(rows: readonly PlainRow[] | undefined): string {
  return (rows ?? []).map((row) => JSON.stringify(row)).join('\n')
}

/** The tag that the caller, or the administrator, is given, and whether it is one of what the caller sees. */
export async function tagFor(
  bench: RightsBench,
  request: WriteRequest,
  random: Random,
): Promise<{ readonly kind: 'current' | 'other'; readonly text: string } | undefined> {
  const path = pathOf(request)
  const own = await bench.call('GET', path)
  const admins = await bench.ask('GET', path)
  const ownTag = own.status === 200 ? own.headers.get('etag') : null
  const adminsTag = admins.headers.get('etag')
  if (ownTag !== null && random.below(2) === 0) return { kind: 'current', text: ownTag }
  if (adminsTag === null) return undefined
  const isSame = own.status === 200 ? isDeepStrictEqual(own.body, admins.body) : writesUnseen(bench, request)
  return { kind: isSame ? 'current' : 'other', text: adminsTag }
}

/** Whether the caller may write everything and read nothing: then it is shown the whole record that it has written. */
function writesUnseen({ caller, world }: RightsBench, request: WriteRequest): boolean {
  const { method, entity } = request
  const path = pathOf(request)
  if (matching(caller, 'GET', path).length > 0) return false
  return plainGrants(matching(caller, method, path), entity, caller, world).some(
    ({ isUnconditional }) => isUnconditional,
  )
}

const methods: readonly WriteMethod[] = ['POST', 'POST', 'PATCH', 'PATCH', 'PATCH', 'PUT', 'PUT', 'DELETE']
/** How many random writes are looked at to find one of a kind. */
const triesAtMost = 60

/** A write that is refused only because of the record, as it is or as it would be; undefined if none is found. */
function refusedWrite(bench: RightsBench, random: Random): WriteRequest | undefined {
  const { caller, world, state } = bench
  const method = random.pick<WriteMethod>(['POST', 'PATCH', 'PATCH', 'PUT', 'PUT', 'DELETE'])
  const isAfter = method !== 'DELETE' && random.below(4) > 0
  for (let tries = 0; tries < triesAtMost; tries += 1) {
    const request = { ...randomWrite(bench, random, method), tag: undefined }
    const { entity, id } = request
    const outcome = evaluateWrite(request, caller, world, state)
    const refusals = 'refusals' in outcome ? [...outcome.refusals] : []
    if (refusals.length !== 1 || refusals[0] !== 'ROW_NOT_ALLOWED') continue
    const row = (state.get(entity.name) ?? []).find((one) => one.id === id)
    const writers = plainGrants(matching(caller, method, pathOf(request)), entity, caller, world)
    const isAdmitted = method === 'POST' || (row && writers.some((grant) => grant.admits(row, state)))
    if (isAdmitted === isAfter) return request
  }
  return undefined
}

/** A list of new records of which some get a value that the rights set, and others do not; undefined if none is found. */
function mixedList(bench: RightsBench, random: Random): WriteRequest | undefined {
  const { caller, world, state } = bench
  const method = 'POST'
  const entities = [...world.values()].filter((entity) => {
    const writers = plainGrants(matching(caller, method, pathOf({ entity })), entity, caller, world)
    return writers.some(({ set }) => set.size > 0) && writers.some(({ set }) => set.size === 0)
  })
  if (entities.length === 0) return undefined
  const entity = random.pick(entities)
  const found = new Map<boolean, object>()
  for (let tries = 0; tries < triesAtMost && found.size < 2; tries += 1) {
    const body = randomPart(bench, entity, random, undefined)
    const outcome = evaluateWrite({ method, entity, body }, caller, world, state)
    if (!('refusals' in outcome)) found.set(isSet(body, outcome.rows[0] ?? {}), body)
  }
  return found.size < 2 ? undefined : { method, entity, body: [...found.values()] }
}

/** Whether a new record has values that were not sent. */
function isSet(document: object, row: PlainRow): boolean {
  const made = ['id', 'instance', 'xid', 'xname']
  return Object.entries(row).some(
    ([name, value]) => value !== null && !made.includes(name) && !Object.hasOwn(document, name),
  )
}

function randomWrite(
  bench: RightsBench,
  random: Random,
  method: WriteMethod = random.pick(methods),
): WriteRequest {
  const { world, state } = bench
  const entity = random.pick([...world.values()])
  if (method === 'POST') {
    const one = () => randomPart(bench, entity, random, undefined)
    const body = random.below(4) > 0 ? one() : Array.from({ length: 1 + random.below(3) }, one)
    return { method, entity, body }
  }
  const rows = state.get(entity.name) ?? []
  const row = rows.length > 0 && random.below(8) > 0 ? random.pick(rows) : undefined
  const id = String(row?.id ?? random.pick(ids12(entity)))
  const tag = random.below(3) === 0 ? ('current' as const) : undefined
  if (method === 'DELETE') return { method, entity, id, tag }
  return { method, entity, id, tag, body: randomPart(bench, entity, random, row) }
}

/** Some fields, often those that the caller may write, now and then one that there is not. */
export function randomPart(
  { caller, world, state }: RightsBench,
  entity: WorldEntity,
  random: Random,
  row: PlainRow | undefined,
): Readonly<Record<string, unknown>> {
  const whole = randomDocument(entity, state, random)
  const path = `/apis/${entity.resource}${row === undefined ? '' : `/${row.id}`}`
  const writers = plainGrants(
    matching(caller, row === undefined ? 'POST' : 'PATCH', path),
    entity,
    caller,
    world,
  )
  const view = viewOf(plainGrants(matching(caller, 'GET', path), entity, caller, world), entity, state)
  const seenRow = row && view.seen(row, state)
  const seen = seenRow ? restRecord(entity, seenRow, view.fields) : {}
  const keeps = random.below(4)
  const isLikely = (name: string) => writers.some((grant) => grant.writes(name)) || random.below(6) === 0
  const part: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(whole)) {
    if (name === 'id' && row !== undefined) continue
    if (isLikely(name) && (row === undefined ? random.below(8) > 0 : random.below(4) <= keeps))
      part[name] = value
  }
  for (const [name, value] of Object.entries(seen)) if (random.below(7) === 0) part[name] = value
  if (random.below(12) === 0) part[random.pick(['nope', 'xname', 'instance'])] = 'x'
  for (const { set } of writers)
    for (const [name, value] of set)
      if (random.below(6) === 0) part[name] = restValue(entity.columns.get(name) as WorldColumn, value)
  return part
}
