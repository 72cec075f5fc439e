/** What the contract says of conditions on rows and fields, in the plainest way: rows in memory, one by one. */
import { meets, type Operator } from '../compare-values.ts'
import type { PlainRow, PlainValue } from '../plain-evaluator.ts'
import type { State, World, WorldColumn, WorldEntity } from './rights-world.ts'

/** A filter of a rule, or a group of them. */
export type Rule = RuleCondition | readonly Rule[]

export interface RuleCondition {
  readonly key: string
  readonly op: Operator
  readonly val: unknown
}

/** An authority as it is written into a role. */
export interface WrittenAuthority {
  readonly regex: string
  readonly methods: readonly string[]
  readonly rows?: readonly Rule[]
  readonly fields?: { readonly read?: readonly string[]; readonly write?: readonly string[] }
  readonly set?: Readonly<Record<string, unknown>>
}

export interface PlainCaller {
  readonly authorities: readonly WrittenAuthority[]
  readonly account: {
    /** Absent without an account. */
    readonly username?: string
    readonly roles: readonly string[]
    readonly metadata: Readonly<Record<string, unknown>>
  }
}

/** What one authority gives on an entity. */
export interface PlainGrant {
  readonly isUnconditional: boolean
  admits(row: PlainRow, state: State): boolean
  reads(field: string): boolean
  writes(field: string): boolean
  readonly set: ReadonlyMap<string, PlainValue>
}

/** The authorities that match a method on a path. */
export function matching(
  { authorities }: PlainCaller,
  method: string,
  path: string,
): readonly WrittenAuthority[] {
  return authorities.filter(
    ({ regex, methods }) => methods.includes(method) && new RegExp(`^(?:${regex})$`).test(path),
  )
}

/** What authorities give on an entity. */
export function plainGrants(
  authorities: readonly WrittenAuthority[],
  entity: WorldEntity,
  { account }: PlainCaller,
  world: World,
): readonly PlainGrant[] {
  return authorities.flatMap((authority) => {
    const { rows, fields, set } = authority
    const named = [...(fields?.read ?? []), ...(fields?.write ?? []), ...Object.keys(set ?? {})]
    const conditions = conditionsIn(rows ?? [])
    if (!named.every((name) => entity.columns.has(name))) return []
    if (!conditions.every(({ key }) => columnAt(key, entity, world) !== undefined)) return []
    const valuesFit = conditions.every(({ key, op, val }) => {
      const column = columnAt(key, entity, world) as WorldColumn
      return fits(column, op, inColumn(resolved(val, account)))
    })
    const setValues = new Map(
      Object.entries(set ?? {}).map(([name, value]) => [name, inColumn(resolved(value, account))]),
    )
    const setFits = [...setValues].every(
      ([name, value]) => value !== undefined && fits(entity.columns.get(name) as WorldColumn, '==', value),
    )
    const isAdmitting = valuesFit && setFits
    const read = fields?.read && new Set(fields.read)
    const write = fields?.write ? new Set(fields.write) : read
    return [
      {
        isUnconditional: rows === undefined && fields === undefined && set === undefined,
        admits: (row, state) =>
          isAdmitting &&
          (rows ?? []).every((rule) => holds(rule, true, row, entity, { account, world, state })),
        reads: (field) => read === undefined || read.has(field),
        writes: (field) => write === undefined || write.has(field),
        set: (isAdmitting ? setValues : new Map()) as ReadonlyMap<string, PlainValue>,
      },
    ]
  })
}

/** Whether some grants let a client choose the value of a field, in some record. */
export function isChosen(name: string, grants: readonly PlainGrant[]): boolean {
  return grants.some((grant) => grant.isUnconditional || (grant.writes(name) && !grant.set.has(name)))
}

function conditionsIn(rules: readonly Rule[]): readonly RuleCondition[] {
  return rules.flatMap((rule) => (isGroup(rule) ? conditionsIn(rule) : [rule]))
}

function isGroup(rule: Rule): rule is readonly Rule[] {
  return Array.isArray(rule)
}

/** The column at the end of a path. */
function columnAt(key: string, entity: WorldEntity, world: World): WorldColumn | undefined {
  const [head = '', ...rest] = key.split('.')
  if (rest.length === 0) return entity.columns.get(head)
  const relation = entity.relations.get(head)
  const target = relation?.kind === 'reference' ? world.get(relation.target) : undefined
  return target && columnAt(rest.join('.'), target, world)
}

/** The value of the account, or a time; undefined if there is none. */
function resolved(value: unknown, account: PlainCaller['account']): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { account: name, now } = value as { readonly account?: string; readonly now?: string }
  if (now !== undefined) {
    const days = Number(/^(-?)P(\d+)D$/.exec(now)?.[2]) * (now.startsWith('-') ? -1 : 1)
    return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  }
  const found = name?.startsWith('metadata.')
    ? account.metadata[name.slice('metadata.'.length)]
    : account[name as 'username' | 'roles']
  return found === null || (Array.isArray(found) && found.length === 0) ? undefined : found
}

/** True and false are 1 and 0 in a column. */
function inColumn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inColumn)
  return typeof value === 'boolean' ? Number(value) : value
}

/** Whether a value can be compared with a column by an operator. */
function fits(column: WorldColumn, op: Operator, value: unknown): boolean {
  if (value === undefined) return false
  if (op === 'isnull') return true
  if (op === 'between')
    return Array.isArray(value) && value.every((end) => end !== null && fits(column, '>=', end))
  if (op === 'in' || op === 'not in')
    return Array.isArray(value) && value.every((item) => item === null || fits(column, '==', item))
  if (value === null) return true
  if (typeof value === 'object') return false
  if (column.type === 'integer') return Number.isInteger(value)
  if (column.type === 'date') return /^\d{4}-\d\d-\d\d$/.test(String(value))
  return column.type === 'decimal' ? /^-?\d+(\.\d+)?$/.test(String(value)) : true
}

interface RuleScope {
  readonly account: PlainCaller['account']
  readonly world: World
  readonly state: State
}

function holds(rule: Rule, isOr: boolean, row: PlainRow, entity: WorldEntity, scope: RuleScope): boolean {
  if (!isGroup(rule)) return holdsAt(rule.key.split('.'), rule, row, entity, scope)
  const inner = (one: Rule) => holds(one, !isOr, row, entity, scope)
  return isOr ? rule.some(inner) : rule.every(inner)
}

/** Rules see all rows of the entities that they name. */
function holdsAt(
  [head = '', ...rest]: readonly string[],
  rule: RuleCondition,
  row: PlainRow,
  entity: WorldEntity,
  scope: RuleScope,
): boolean {
  if (rest.length === 0) {
    const { type } = entity.columns.get(head) as WorldColumn
    return meets(type, row[head] ?? null, rule.op, inColumn(resolved(rule.val, scope.account)))
  }
  const relation = entity.relations.get(head)
  const target = scope.world.get(relation?.target ?? '')
  if (relation === undefined || target === undefined) return false
  const [own = '', other = ''] = [relation.own[0], relation.other[0]]
  const value = row[own] ?? null
  return (scope.state.get(target.name) ?? []).some(
    (related) => value !== null && related[other] === value && holdsAt(rest, rule, related, target, scope),
  )
}

/** What a caller sees of an entity. */
export interface PlainView {
  /** The fields that are given at all. */
  readonly fields: ReadonlySet<string>
  readonly rows: readonly PlainRow[]
  /** The row as it is seen; undefined if it is not reached. */
  seen(row: PlainRow, state: State): PlainRow | undefined
}

/** What a GlobalId holds is never masked. */
const keyName = 'instance'

/** What some grants together let be read. */
export function viewOf(grants: readonly PlainGrant[], entity: WorldEntity, state: State): PlainView {
  const names = [...entity.columns.keys()]
  const seen = (row: PlainRow, then: State): PlainRow | undefined => {
    const admitting = grants.filter((grant) => grant.admits(row, then))
    if (admitting.length === 0) return undefined
    const isGiven = (name: string) => name === keyName || admitting.some((grant) => grant.reads(name))
    return Object.fromEntries(names.map((name) => [name, isGiven(name) ? (row[name] ?? null) : null]))
  }
  return {
    fields: new Set(names.filter((name) => grants.some((grant) => grant.reads(name)))),
    rows: (state.get(entity.name) ?? []).map((row) => seen(row, state)).filter((row) => row !== undefined),
    seen,
  }
}

/** What a caller sees of an entity in GraphQL; undefined if its schema does not have it. */
export function graphqlView(
  caller: PlainCaller,
  entity: WorldEntity,
  world: World,
  state: State,
): PlainView | undefined {
  const authorities = ['/graphql', `/graphql/${entity.name}`].flatMap((path) =>
    matching(caller, 'POST', path),
  )
  const grants = plainGrants([...new Set(authorities)], entity, caller, world)
  return grants.length === 0 ? undefined : viewOf(grants, entity, state)
}
