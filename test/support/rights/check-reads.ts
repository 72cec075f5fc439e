/** Random reads of the account, compared with what the contract says of them. */
import { isDeepStrictEqual } from 'node:util'
import { fc } from '../fast-check.ts'
import {
  evaluate,
  type ListQuery,
  type ObjectMember,
  type OpaqueTexts,
  type PlainData,
  type PlainEntity,
  type PlainRow,
  type RootQuery,
  type Selected,
} from '../plain-evaluator.ts'
import { printQuery } from '../print-query.ts'
import type { Random } from '../random.ts'
import { randomQuery } from '../random-query.ts'
import type { Answer } from '../test-gateway.ts'
import { maskedQuery } from './masked-query.ts'
import { graphqlView, matching, type PlainView, plainGrants, viewOf } from './plain-rights.ts'
import { ids12, type RightsBench } from './rights-bench.ts'
import { restRecord, type WorldEntity } from './rights-world.ts'

/** One random read; undefined if it was answered as the contract says, otherwise a description. */
export async function checkRead(bench: RightsBench, random: Random): Promise<string | undefined> {
  const checks = [
    ...[checkGraphql, checkGraphql, checkGraphql, checkGraphql],
    ...[
      checkNode,
      checkList,
      checkList,
      checkList,
      checkOne,
      checkFields,
      checkFields,
      checkHidden,
      checkSchema,
    ],
  ]
  return random.pick(checks)(bench, random)
}

/** What the caller sees of the entities, with all columns; and with those alone that it may name. */
interface SeenData {
  readonly whole: PlainData
  readonly named: PlainData
}

function plainEntityOf(entity: WorldEntity, rows: readonly PlainRow[]): PlainEntity {
  const columns = new Map([...entity.columns].map(([name, { type }]) => [name, type]))
  return { name: entity.name, columns, key: ['instance'], relations: entity.relations, rows }
}

function namedPart(entity: PlainEntity, views: ReadonlyMap<string, PlainView>): PlainEntity {
  const own = views.get(entity.name)?.fields ?? new Set()
  const relations = [...entity.relations].filter(
    ([, relation]) =>
      relation.own.every((name) => own.has(name)) &&
      relation.other.every((name) => views.get(relation.target)?.fields.has(name)),
  )
  const columns = new Map([...entity.columns].filter(([name]) => own.has(name)))
  return { ...entity, columns, relations: new Map(relations) }
}

function graphqlViews({ world, caller, state }: RightsBench): ReadonlyMap<string, PlainView> {
  return new Map(
    [...world.values()].flatMap((entity) => {
      const view = graphqlView(caller, entity, world, state)
      return view === undefined ? [] : [[entity.name, view] as const]
    }),
  )
}

function dataOf({ world }: RightsBench, views: ReadonlyMap<string, PlainView>): SeenData {
  const seen = [...views].map(
    ([name, { rows }]) => [name, plainEntityOf(world.get(name) as WorldEntity, rows)] as const,
  )
  const named = seen.map(([name, entity]) => [name, namedPart(entity, views)] as const)
  return { whole: new Map(seen), named: new Map(named) }
}

type Edges = readonly { readonly cursor: string; readonly node: { readonly GlobalId: string } }[]

/** Cursors as the caller is given them. */
class CallersTexts implements OpaqueTexts {
  readonly #bench: RightsBench
  readonly #cursors = new Map<string, ReadonlyMap<string, string>>()

  constructor(bench: RightsBench) {
    this.#bench = bench
  }

  globalIdOf({ name }: PlainEntity, { instance }: PlainRow): string {
    return this.#bench.globalIdOf(name, instance ?? null)
  }

  cursorOf(
    { entity, asc, desc }: Pick<ListQuery, 'entity' | 'asc' | 'desc'>,
    { instance }: PlainRow,
  ): string {
    const known = this.#cursors.get(JSON.stringify([entity, asc, desc]))
    return known?.get(this.#bench.globalIdOf(entity, instance ?? null)) ?? '(a row that was not given)'
  }

  async learn(roots: readonly RootQuery[]): Promise<void> {
    for (const { entity, asc, desc } of listsIn(roots)) {
      const key = JSON.stringify([entity, asc, desc])
      if (this.#cursors.has(key)) continue
      const order = `(asc: ${JSON.stringify(asc)}, desc: ${JSON.stringify(desc)})`
      const query = `{ ${entity}${order} { edges { cursor node { GlobalId } } } }`
      const { body } = await this.#bench.call('POST', '/graphql', { query })
      const { data } = body as { data?: Record<string, { edges: Edges } | null> }
      const edges = data?.[entity]?.edges ?? []
      this.#cursors.set(key, new Map(edges.map(({ node, cursor }) => [node.GlobalId, cursor])))
    }
  }
}

function listsIn(roots: readonly RootQuery[]): readonly ListQuery[] {
  const lists: ListQuery[] = []
  const visit = (list: ListQuery): void => {
    lists.push(list)
    for (const member of list.select)
      if (member.kind === 'edges')
        for (const inner of member.select) if (inner.kind === 'node') visitObject(inner.select)
  }
  const visitObject = (select: readonly Selected<ObjectMember>[]): void => {
    for (const member of select) {
      if (member.kind === 'collection') visit(member.list)
      else if (member.kind === 'reference') visitObject(member.select)
    }
  }
  for (const root of roots) {
    if (root.kind === 'list') visit(root.list)
    else visitObject(root.node.select)
  }
  return lists
}

function queryOn(named: PlainData, texts: OpaqueTexts, random: Random): readonly RootQuery[] | undefined {
  const isUsable = [...named.values()].every(({ columns }) => columns.size > 0)
  if (named.size === 0 || !isUsable) return undefined
  const world = { data: named, texts, totalBy: new Map() }
  const [query] = fc.sample(randomQuery(world), { seed: random.below(2 ** 31), numRuns: 1 })
  return query?.roots
}

const difference = (told: string, answer: Answer, expected: unknown) =>
  `${told}\nanswered ${answer.status} ${JSON.stringify(answer.body)}\nexpected ${JSON.stringify(expected)}`

function mayGraphql({ caller, world }: RightsBench): boolean {
  const paths = ['/graphql', ...[...world.keys()].map((name) => `/graphql/${name}`)]
  return paths.some((path) => matching(caller, 'POST', path).length > 0)
}

async function checkGraphql(bench: RightsBench, random: Random): Promise<string | undefined> {
  const { whole, named } = dataOf(bench, graphqlViews(bench))
  const texts = new CallersTexts(bench)
  const roots = mayGraphql(bench)
    ? (maskedRoots(bench, named, random) ?? queryOn(named, texts, random))
    : undefined
  if (roots === undefined) return undefined
  await texts.learn(roots)
  const printed = printQuery(roots, named, texts, random.below(1000))
  const expected = { data: evaluate(roots, whole, texts) }
  // Databases prepare a statement once and carry it out again.
  for (let time = 1; time <= 3; time += 1) {
    const answer = await bench.call('POST', '/graphql', printed)
    if (!isDeepStrictEqual(answer.body, expected))
      return difference(`${JSON.stringify(printed)}, asked for the ${time}. time`, answer, expected)
  }
  return undefined
}

/** Now and then, a list that is sorted or filtered by a field that is given on some rows only. */
function maskedRoots(bench: RightsBench, named: PlainData, random: Random): readonly RootQuery[] | undefined {
  if (random.below(3) > 0) return undefined
  const views = graphqlViews(bench)
  const queries = [...named.values()].flatMap((entity) => {
    const view = views.get(entity.name)
    const query = view && maskedQuery(entity, view, bench.state, random)
    return query === undefined ? [] : [{ entity: entity.name, ...query }]
  })
  if (queries.length === 0) return undefined
  const ids = [{ as: 'GlobalId', kind: 'globalId' }] as const
  const edge = { as: 'node', kind: 'node', select: ids } as const
  const first = random.below(2) === 0 ? undefined : 1 + random.below(4)
  const list: ListQuery = {
    ...random.pick(queries),
    first,
    select: [
      { as: 'totalCount', kind: 'totalCount' },
      { as: 'edges', kind: 'edges', select: [edge] },
    ],
  }
  return [{ as: 'list', kind: 'list', list }]
}

/** Any row of any entity by its GlobalId. */
async function checkNode(bench: RightsBench, random: Random): Promise<string | undefined> {
  const { world, state } = bench
  if (!mayGraphql(bench)) return undefined
  const views = graphqlViews(bench)
  const entity = random.pick([...world.values()])
  const view = views.get(entity.name)
  const rows = state.get(entity.name) ?? []
  if (rows.length === 0 || views.size === 0) return undefined
  const row = random.pick(rows)
  const GlobalId = bench.globalIdOf(entity.name, row.instance ?? null)
  const fields = [...(view?.fields ?? [])]
  const field = random.pick(['node', 'customNode'])
  const part = view === undefined ? '' : `... on ${entity.name}_ { ${['GlobalId', ...fields].join(' ')} }`
  const query = `query ($id: ID!) { ${field}(GlobalId: $id) { __typename ${part} } }`
  const answer = await bench.call('POST', '/graphql', { query, variables: { id: GlobalId } })
  const seen = view?.seen(row, state)
  const shown = seen && {
    __typename: `${entity.name}_`,
    GlobalId,
    ...Object.fromEntries(fields.map((name) => [name, seen[name]])),
  }
  const expected = { data: { [field]: shown ?? null } }
  return isDeepStrictEqual(answer.body, expected)
    ? undefined
    : difference(`${query} ${GlobalId}`, answer, expected)
}

/** A list by `GET`, page by page where it has pages, or by `POST` of a document. */
async function checkList(bench: RightsBench, random: Random): Promise<string | undefined> {
  const { world, caller, state } = bench
  const entity = random.pick([...world.values()])
  const list = `/apis/${entity.resource}`
  const isPosted = random.below(2) === 0
  const readers = matching(caller, 'GET', list)
  // A document needs both rights, and reads by the one to read the list.
  const isAllowed = !isPosted || matching(caller, 'POST', `${list}/query`).length > 0
  const authorities = isAllowed ? readers : []
  const view = viewOf(plainGrants(authorities, entity, caller, world), entity, state)
  const views = listViews(bench, entity, view)
  const wholes = new Map([...views].map(([name, seen]) => [name, wholeOf(bench, name, seen)]))
  const named = new Map([...wholes].map(([name, whole]) => [name, namedPart(whole, views)]))
  const own = named.get(entity.name) as PlainEntity
  const texts = new CallersTexts(bench)
  const asked = listOn(entity, named, texts, random)
  if (asked === undefined && authorities.length > 0) return undefined
  const masked = random.below(2) === 0 ? undefined : maskedQuery(own, view, state, random)
  const {
    equal = [],
    filters = [],
    asc = [],
    desc = [],
    first,
    offset,
    limit,
  } = {
    ...asked,
    ...masked,
  }
  const inPages = first !== undefined && first > 0 && offset === undefined && limit === undefined
  const query: ListQuery = {
    entity: entity.name,
    equal: isPosted ? equal : [],
    filters,
    asc,
    desc,
    ...(!inPages && { offset, limit }),
    select: [
      { as: 'totalCount', kind: 'totalCount' },
      {
        as: 'edges',
        kind: 'edges',
        select: [
          {
            as: 'node',
            kind: 'node',
            select: [...entity.columns.keys()].map((field) => ({ as: field, kind: 'scalar', field })),
          },
        ],
      },
    ],
  }
  const request = { filters, asc, desc, ...(inPages ? { first } : { offset, limit }), count: true }
  const document = { ...request, ...Object.fromEntries(query.equal) }
  const answer = isPosted
    ? await bench.call('POST', `${list}/query`, document)
    : await bench.call('GET', `${list}?${parametersOf(request)}`)
  const told = `${isPosted ? 'POST' : 'GET'} ${list} ${JSON.stringify(document)}`
  if (authorities.length === 0) return answer.status === 401 ? undefined : difference(told, answer, 401)
  const { data } = {
    data: evaluate([{ as: 'list', kind: 'list', list: query }], wholes, texts) as {
      list: { totalCount: number; edges: { node: PlainRow }[] }
    },
  }
  const records = data.list.edges.map(({ node }) => restRecord(entity, node, view.fields))
  const total = String(data.list.totalCount)
  const found = answer.status === 200 ? [...(answer.body as unknown[])] : undefined
  let page = answer
  for (
    let link = nextOf(page);
    found && inPages && link !== undefined && found.length < 100;
    link = nextOf(page)
  ) {
    page = isPosted ? await bench.call('POST', link, document) : await bench.call('GET', link)
    if (page.status !== 200) return difference(`${told}, then ${link}`, page, records)
    found.push(...(page.body as unknown[]))
  }
  if (isDeepStrictEqual(found, records) && answer.headers.get('x-total-count') === total) return undefined
  return `${difference(told, answer, records)}\nall pages ${JSON.stringify(found)}, total ${answer.headers.get('x-total-count')}, expected ${total}`
}

/** What filters of a list may name, by entity: its own, and those whose lists the caller may read. A public route opens its own only. */
function listViews(bench: RightsBench, entity: WorldEntity, own: PlainView): ReadonlyMap<string, PlainView> {
  const { world, caller, state, hasOwnRightsOnly } = bench
  const views = new Map([[entity.name, own]])
  for (const other of hasOwnRightsOnly ? world.values() : []) {
    const readers = matching(caller, 'GET', `/apis/${other.resource}`)
    if (other.name !== entity.name && readers.length > 0)
      views.set(other.name, viewOf(plainGrants(readers, other, caller, world), other, state))
  }
  return views
}

function wholeOf({ world, hasOwnRightsOnly }: RightsBench, name: string, { rows }: PlainView): PlainEntity {
  const whole = plainEntityOf(world.get(name) as WorldEntity, rows)
  return hasOwnRightsOnly ? whole : { ...whole, relations: new Map() }
}

/** A random list of an entity; undefined if none was drawn. */
function listOn(
  { name }: WorldEntity,
  named: PlainData,
  texts: OpaqueTexts,
  random: Random,
): ListQuery | undefined {
  for (let tries = 0; tries < 5; tries += 1) {
    for (const root of queryOn(named, texts, random) ?? [])
      if (root.kind === 'list' && root.list.entity === name) return root.list
  }
  return undefined
}

function parametersOf(request: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(request)) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    parameters.set(name, name === 'filters' ? JSON.stringify(value) : String(value))
  }
  return parameters.toString()
}

function nextOf({ headers }: Answer): string | undefined {
  const link = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  if (link === undefined) return undefined
  const { pathname, search } = new URL(link, 'http://localhost')
  return `${pathname}${search}`
}

async function checkOne(bench: RightsBench, random: Random): Promise<string | undefined> {
  const { world, caller, state } = bench
  const entity = random.pick([...world.values()])
  const id = random.pick(ids12(entity))
  const path = `/apis/${entity.resource}/${id}`
  const authorities = matching(caller, 'GET', path)
  const view = viewOf(plainGrants(authorities, entity, caller, world), entity, state)
  const row = state.get(entity.name)?.find((one) => one.id === id)
  const seen = row && view.seen(row, state)
  const answer = await bench.call('GET', path)
  if (authorities.length === 0) return answer.status === 401 ? undefined : difference(path, answer, 401)
  if (seen === undefined) return answer.status === 404 ? undefined : difference(path, answer, 404)
  const record = restRecord(entity, seen, view.fields)
  return isDeepStrictEqual(answer.body, record) ? undefined : difference(path, answer, record)
}

/** All fields of a list or of a record, with those of the records to which one reference or collection leads. */
async function checkFields(bench: RightsBench, random: Random): Promise<string | undefined> {
  const { world, caller, state } = bench
  const entity = random.pick([...world.values()])
  const id = random.pick([undefined, ...ids12(entity)])
  const list = `/apis/${entity.resource}`
  const authorities = matching(caller, 'GET', id === undefined ? list : `${list}/${id}`)
  const view = viewOf(plainGrants(authorities, entity, caller, world), entity, state)
  if (authorities.length === 0 || entity.relations.size === 0) return undefined
  const [name, relation] = random.pick([...entity.relations])
  const target = world.get(relation.target) as WorldEntity
  const ofTarget = matching({ ...caller, authorities: bench.ofRoles }, 'GET', `/apis/${target.resource}`)
  const related = viewOf(plainGrants(ofTarget, target, caller, world), target, state)
  const path = `${list}${id === undefined ? '' : `/${id}`}?fields=*,${name}.*`
  const answer = await bench.call('GET', path)
  const [own = '', other = ''] = [relation.own[0], relation.other[0]]
  const refused = !view.fields.has(own)
    ? 400
    : ofTarget.length === 0
      ? 403
      : !related.fields.has(other) && 400
  if (refused) return answer.status === refused ? undefined : difference(path, answer, refused)
  const sorted = (rows: readonly PlainRow[]) =>
    rows.toSorted((a, b) => (String(a.instance) < String(b.instance) ? -1 : 1))
  // A record is found by an identifier that its response may hide.
  const one = state.get(entity.name)?.find((each) => each.id === id)
  const found = one && view.seen(one, state)
  const records = (id === undefined ? sorted(view.rows) : found === undefined ? [] : [found]).map((row) => {
    const matched = related.rows.filter((one) => row[own] !== null && one[other] === row[own])
    const shown = sorted(matched).map((one) => restRecord(target, one, related.fields))
    const inside = relation.kind === 'collection' ? shown : (shown[0] ?? null)
    return { ...restRecord(entity, row, view.fields), [name]: inside }
  })
  const expected = id === undefined ? records : (records[0] ?? 404)
  return isDeepStrictEqual(expected === 404 ? answer.status : answer.body, expected)
    ? undefined
    : difference(path, answer, expected)
}

/** A field that is not given is answered like one that there is not. */
async function checkHidden(bench: RightsBench, random: Random): Promise<string | undefined> {
  const { world, caller, state } = bench
  const entity = random.pick([...world.values()])
  const list = `/apis/${entity.resource}`
  const authorities = matching(caller, 'GET', list)
  const view = viewOf(plainGrants(authorities, entity, caller, world), entity, state)
  const hidden = [...entity.columns.keys()].filter((name) => !view.fields.has(name))
  if (authorities.length === 0 || hidden.length === 0) return undefined
  const name = random.pick(hidden)
  const invented = 'q'.repeat(name.length)
  const value = random.pick(state.get(entity.name) ?? [])?.[name] ?? ''
  const filter = JSON.stringify([{ key: name, op: random.pick(['==', '!=']), val: value }])
  const form = random.pick([
    `asc=${name}`,
    `desc=${name}`,
    `${name}=${encodeURIComponent(String(value))}`,
    `filters=${encodeURIComponent(filter)}`,
  ])
  const answer = await bench.call('GET', `${list}?${form}`)
  const other = await bench.call('GET', `${list}?${form.replace(name, invented)}`)
  const detail = (answer.body as { detail?: string }).detail?.replace(
    JSON.stringify(name),
    JSON.stringify(invented),
  )
  const otherDetail = (other.body as { detail?: string }).detail
  const withoutAdvice = (text: string | undefined) =>
    text?.replace(/; did you mean [^.]*|; did you mean [^?]*\?/i, '')
  return answer.status === 400 && withoutAdvice(detail) === withoutAdvice(otherDetail)
    ? undefined
    : difference(`${list}?${form}`, answer, other.body)
}

/** The fields of every type, and which of them may be null. */
async function checkSchema(bench: RightsBench): Promise<string | undefined> {
  if (!mayGraphql(bench)) return undefined
  const views = graphqlViews(bench)
  const { named } = dataOf(bench, views)
  if (views.size === 0) return undefined
  const types = [...bench.world.keys()].map((name) => `${name}: __type(name: "${name}_") { fields { name } }`)
  const answer = await bench.call('POST', '/graphql', { query: `{ ${types.join(' ')} }` })
  const { data = {} } = answer.body as { data?: Record<string, { fields: { name: string }[] } | null> }
  const found = Object.fromEntries(
    Object.entries(data).map(([name, type]) => [
      name,
      type?.fields.map((field) => field.name).toSorted() ?? null,
    ]),
  )
  const expected = Object.fromEntries(
    [...bench.world.keys()].map((name) => {
      const entity = named.get(name)
      return [
        name,
        entity ? ['GlobalId', ...entity.columns.keys(), ...entity.relations.keys()].toSorted() : null,
      ]
    }),
  )
  return isDeepStrictEqual(found, expected) ? undefined : difference('the schema', answer, expected)
}
