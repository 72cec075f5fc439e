/** Random roles and accounts for a world. */
import type { Operator } from '../compare-values.ts'
import type { PlainRow, PlainValue } from '../plain-evaluator.ts'
import type { Random } from '../random.ts'
import type { PlainCaller, Rule, RuleCondition, WrittenAuthority } from './plain-rights.ts'
import {
  randomValue,
  restValue,
  type State,
  type World,
  type WorldColumn,
  type WorldEntity,
} from './rights-world.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** One of some, by weights. */
function weighted<Item>(random: Random, items: readonly (readonly [weight: number, item: Item])[]): Item {
  let left = random.below(items.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, item] of items) {
    if (left < weight) return item
    left -= weight
  }
  return (items[0] as readonly [number, Item])[1]
}

/** Values that conditions name; some are absent, or of no type that fits. */
export function randomMetadata(random: Random): Readonly<Record<string, unknown>> {
  const some = (value: unknown) => (random.below(5) === 0 ? random.pick([null, { a: 1 }, ['x', 'y']]) : value)
  const metadata = {
    text: some(random.pick(['a', 'b', 'B', '😀', 'c1', 'c2'])),
    yes: some(random.below(2) === 0),
    number: some(random.below(5) - 2),
    key: some(random.pick(['a1', 'a2', 'b1', 'b2'])),
    keys: random.below(5) === 0 ? [] : ['a1', 'a3', 'b1', 'b2'].filter(() => random.below(2) === 0),
    object: { a: 1 },
  }
  return Object.fromEntries(Object.entries(metadata).filter(() => random.below(12) > 0))
}

/** The authorities of one to three roles. */
export function randomRoles(random: Random, world: World, state: State): readonly WrittenAuthority[][] {
  const roles = Array.from({ length: 1 + random.below(3) }, () =>
    Array.from({ length: 1 + random.below(3) }, () => randomAuthority(random, world, state)),
  )
  const [first = [], ...others] = roles
  return weighted(random, [
    [4, roles],
    [4, [[...first, ...overlapping(random, world, state)], ...others]],
    [3, [[...world.values()].flatMap((entity) => confining(random, entity, world, state))]],
  ])
}

/** What reads all rows of an entity, and writes those of which a field has some values, or creates all with others set. */
function confining(
  random: Random,
  entity: WorldEntity,
  world: World,
  state: State,
): readonly WrittenAuthority[] {
  const regex = `/apis/${entity.resource}(/.*)?`
  const own = [...entity.columns.values()].filter(({ isSystem }) => !isSystem)
  const { name: key } = random.pick(own)
  const known = (state.get(entity.name) ?? []).map((row) => row[key] ?? null)
  const val = known.filter(() => random.below(2) === 0)
  return [
    { regex: `${regex}|/graphql/${entity.name}`, methods: ['GET'] },
    { regex, methods, rows: [{ key, op: 'in', val }] },
    ...(random.below(3) > 0
      ? [{ regex, methods: ['POST'], rows: [], set: randomSet(random, entity, state) }]
      : []),
    ...(random.below(3) === 0 ? [randomAuthority(random, world, state)] : []),
  ]
}

/** Two authorities of an entity: some fields of all of its rows, and others of some of them. */
function overlapping(random: Random, world: World, state: State): readonly WrittenAuthority[] {
  const entity = random.pick([...world.values()])
  const regex = `/apis/${entity.resource}(/.*)?|/graphql/${entity.name}`
  const names = [...entity.columns.keys()]
  const some = names.filter((name) => random.below(4) === 0 || (name === 'id' && random.below(3) > 0))
  const conditions = [randomCondition(random, entity, world, state, '', 2)]
  return [
    { regex, methods, fields: { read: some } },
    { regex, methods, rows: conditions, ...(random.below(3) === 0 && { fields: { read: names } }) },
  ]
}

/** Public routes with and without conditions, no two for one path; often none. */
export function randomRoutes(random: Random, world: World, state: State): readonly WrittenRoute[] {
  const paths = [...world.values()].flatMap(({ name, resource }) => [
    `/apis/${resource}`,
    `/apis/${resource}/:id`,
    `/graphql/${name}`,
  ])
  const isAny = random.below(2) === 0
  const arePlain = random.below(4) === 0
  return ['/graphql', ...paths]
    .filter(() => isAny && random.below(3) === 0)
    .map((path) => {
      const entity = random.pick(
        [...world.values()].filter(({ name, resource }) =>
          [name, resource].includes(path.split('/')[2] ?? ''),
        ),
      )
      const about = entity ?? random.pick([...world.values()])
      const conditions = randomConditions(random, about, world, state)
      const isPlain = arePlain || random.below(4) === 0
      const authority = {
        regex: path.replace(':id', '[^/]+'),
        methods: randomMethods(random),
        ...(isPlain ? {} : conditions),
      }
      return { path, authority }
    })
}

/** A public route, as the authority that it is. */
export interface WrittenRoute {
  readonly path: string
  readonly authority: WrittenAuthority
}

function randomAuthority(random: Random, world: World, state: State): WrittenAuthority {
  const entity = random.pick([...world.values()])
  const { name, resource } = entity
  const id = state.get(name)?.[0]?.id ?? 'x'
  const regex = weighted(random, [
    [12, `/apis/${resource}(/.*)?|/graphql/${name}`],
    [3, `/apis/${resource}(/.*)?`],
    [2, `/apis/${resource}`],
    [2, `/apis/${resource}/.*`],
    [1, `/apis/${resource}/(${id}|zz)`],
    [1, `/apis/${resource}/query`],
    [4, `/graphql/${name}`],
    [2, '/graphql'],
    [3, '.*'],
    [2, '/apis/.*|/graphql'],
  ])
  return { regex, methods: randomMethods(random), ...randomConditions(random, entity, world, state) }
}

function randomMethods(random: Random): readonly string[] {
  const some = methods.filter(() => random.below(2) === 0)
  return random.below(4) > 0 || some.length === 0 ? methods : some
}

function randomConditions(
  random: Random,
  entity: WorldEntity,
  world: World,
  state: State,
): Pick<WrittenAuthority, 'rows' | 'fields' | 'set'> {
  return {
    ...(random.below(4) > 0 && { rows: randomRows(random, entity, world, state) }),
    ...(random.below(2) === 0 && { fields: randomFields(random, entity) }),
    ...(random.below(6) === 0 && { set: randomSet(random, entity, state) }),
  }
}

function randomFields(random: Random, { columns }: WorldEntity): NonNullable<WrittenAuthority['fields']> {
  const most = random.below(3)
  const some = (isShown: (column: WorldColumn) => boolean) =>
    [...columns.values()]
      .filter(
        (column) => isShown(column) && (column.name === 'id' ? random.below(8) > 0 : random.below(3) <= most),
      )
      .map(({ name }) => name)
      .concat(random.below(25) === 0 ? ['nope'] : [])
  const read = { read: some(() => true) }
  const write = { write: some(({ isSystem }) => !isSystem) }
  return random.pick([read, { ...read, ...write }, write, { ...read, ...write }])
}

/** The rules of an entity. */
function randomRows(random: Random, entity: WorldEntity, world: World, state: State): readonly Rule[] {
  return Array.from({ length: random.below(3) }, () => randomRule(random, entity, world, state, 0))
}

function randomRule(random: Random, entity: WorldEntity, world: World, state: State, depth: number): Rule {
  if (depth < 3 && random.below(3) === 0) {
    return Array.from({ length: 1 + random.below(3) }, () =>
      randomRule(random, entity, world, state, depth + 1),
    )
  }
  return randomCondition(random, entity, world, state, '', 0)
}

function randomCondition(
  random: Random,
  entity: WorldEntity,
  world: World,
  state: State,
  prefix: string,
  depth: number,
): RuleCondition {
  const references = [...entity.relations].filter(([, { kind }]) => kind === 'reference')
  if (depth < 2 && references.length > 0 && random.below(4) === 0) {
    const [name, { target }] = random.pick(references)
    const other = world.get(target) as WorldEntity
    return randomCondition(random, other, world, state, `${prefix}${name}.`, depth + 1)
  }
  if (random.below(40) === 0) return { key: `${prefix}nope`, op: '==', val: 'x' }
  const column = random.pick([...entity.columns.values()].filter(({ isSystem }) => !isSystem))
  const key = `${prefix}${column.name}`
  const isText = column.type === 'string'
  const op = random.pick<Operator>([
    '==',
    '==',
    '!=',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    'in',
    'not in',
    'between',
    'isnull',
    ...(isText ? (['starts', 'ends', 'contains', 'iequals', 'istarts', 'iends', 'icontains'] as const) : []),
  ])
  if (op === 'isnull') return { key, op, val: random.below(2) === 0 }
  if (op !== 'between' && random.below(3) === 0) return { key, op, val: callerValue(random, column, op) }
  const rows = state.get(entity.name) ?? []
  const value = () => {
    const plain = randomOf(column, rows, random, 3)
    return random.below(2) === 0 ? plain : restValue(column, plain)
  }
  if (op === 'between')
    return { key, op, val: [value() ?? randomValue(column, random), value() ?? randomValue(column, random)] }
  if (op !== 'in' && op !== 'not in') return { key, op, val: value() }
  return { key, op, val: Array.from({ length: random.below(4) }, value) }
}

/** `{"account": …}`, or a time for a date. */
function callerValue(random: Random, column: WorldColumn, op: Operator): unknown {
  const account = (name: string) => ({ account: name })
  if (op === 'in' || op === 'not in') {
    return account(
      column.type === 'string' ? random.pick(['metadata.keys', 'metadata.text', 'roles']) : 'metadata.object',
    )
  }
  if (column.type === 'date') return { now: random.pick(['-P2D', 'P0D', 'P1D', '-P1D']) }
  if (column.isFlag)
    return account(random.pick(['metadata.yes', 'metadata.yes', 'metadata.text', 'metadata.object']))
  if (column.type === 'integer') return account(random.pick(['metadata.number', 'metadata.object']))
  if (column.type === 'decimal') return account('metadata.number')
  return account(
    random.pick(['metadata.text', 'metadata.key', 'metadata.text', 'username', 'metadata.object']),
  )
}

function randomSet(random: Random, entity: WorldEntity, state: State): Readonly<Record<string, unknown>> {
  const settable = [...entity.columns.values()].filter(({ isSystem, isUnique }) => !(isSystem || isUnique))
  const chosen = [random.pick(settable), random.pick(settable)].slice(0, 1 + random.below(2))
  return Object.fromEntries(
    chosen.map((column) => {
      const { type, refersTo, isFlag } = column
      if (refersTo === undefined && type === 'string' && random.below(2) === 0)
        return [column.name, { account: random.pick(['metadata.text', 'metadata.object']) }]
      if (isFlag) return [column.name, random.pick([true, false, { account: 'metadata.yes' }])]
      if (type === 'integer' && random.below(2) === 0) return [column.name, { account: 'metadata.number' }]
      const rows = refersTo ? (state.get(refersTo.entity) ?? []) : []
      const referred = rows.length === 0 ? 'a1' : (random.pick(rows)[refersTo?.column ?? ''] ?? 'a1')
      return [column.name, refersTo ? referred : randomValue(column, random)]
    }),
  )
}

/** A value that a column holds somewhere, sometimes another, sometimes none. */
export function randomOf(
  column: WorldColumn,
  rows: readonly PlainRow[],
  random: Random,
  fresh: number,
): PlainValue {
  if (random.below(9) === 0) return null
  const known = rows.length > 0 && random.below(fresh) > 0 ? random.pick(rows)[column.name] : undefined
  return known ?? (column.refersTo === undefined ? randomValue(column, random) : 'a1')
}

/** A caller with these roles. */
export function callerWith(
  roles: readonly WrittenAuthority[][],
  names: readonly string[],
  metadata: Readonly<Record<string, unknown>>,
): PlainCaller {
  return { authorities: roles.flat(), account: { username: 'caller', roles: names, metadata } }
}

/** Anyone, without an account. */
export const anyone: PlainCaller = { authorities: [], account: { roles: [], metadata: {} } }
