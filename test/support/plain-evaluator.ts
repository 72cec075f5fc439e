/**
 * What the contract of the lists says, in the plainest way: rows in memory, compared one by one. It
 * knows nothing of how the product does it, and takes queries as data, not as text.
 */
import type { ColumnType } from '../../src/database/database-schema.ts'
import { compareValues, meets, type Operator } from './compare-values.ts'
import {
  aggregateOf,
  groupsInOrder,
  groupsOf,
  meetsHaving,
  type PlainAggregate,
  type PlainFunction,
  type PlainGroupOrder,
  type PlainGroupTerm,
  type PlainHaving,
} from './plain-aggregates.ts'
import { meetsInJson, pathOf } from './plain-json.ts'

/** A value as answers show it. */
export type PlainValue = string | number | null

export type PlainRow = Readonly<Record<string, PlainValue>>

export interface PlainRelation {
  readonly kind: 'reference' | 'collection'
  readonly target: string
  /** These columns of the row are equal, one by one, to `other` of the target. */
  readonly own: readonly string[]
  readonly other: readonly string[]
}

export interface PlainEntity {
  readonly name: string
  readonly columns: ReadonlyMap<string, ColumnType>
  /** Empty for an entity without a key: it has no GlobalId, and is not paged by cursors. */
  readonly key: readonly string[]
  readonly relations: ReadonlyMap<string, PlainRelation>
  readonly rows: readonly PlainRow[]
}

export type PlainData = ReadonlyMap<string, PlainEntity>

/** A field of the row, or of a row that references lead to, with a value; or related rows with conditions of their own. */
export type Condition =
  | { readonly key: string; readonly op: Operator; readonly val: unknown }
  | { readonly key: string; readonly op: Quantifier; readonly val: readonly FilterElement[] }

type Quantifier = 'some' | 'every' | 'none'

/** A condition, or a group: OR in the list of filters, then AND and OR by turns. */
export type FilterElement = Condition | readonly FilterElement[]

export interface ListQuery {
  readonly entity: string
  /** Equality by argument; a list means any of its values. */
  readonly equal: readonly (readonly [field: string, value: unknown])[]
  readonly filters: readonly FilterElement[]
  readonly asc: readonly string[]
  readonly desc: readonly string[]
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly first?: number | undefined
  readonly last?: number | undefined
  /** The rows whose cursors are given. */
  readonly after?: PlainRow | undefined
  readonly before?: PlainRow | undefined
  readonly select: readonly Selected<ConnectionMember>[]
}

/** What is selected, under its response key. */
export type Selected<Member> = Member & { readonly as: string }

export type ConnectionMember =
  | { readonly kind: 'totalCount' }
  | { readonly kind: 'typeName' }
  | { readonly kind: 'aggregates'; readonly select: readonly Selected<AggregateMember>[] }
  | {
      readonly kind: 'groups'
      readonly by: readonly PlainGroupTerm[]
      readonly having: PlainHaving
      readonly orderBy: PlainGroupOrder
      readonly offset: number | undefined
      readonly limit: number | undefined
      readonly select: readonly Selected<AggregateMember>[]
    }
  | { readonly kind: 'edges'; readonly select: readonly Selected<EdgeMember>[] }
  | { readonly kind: 'pageInfo'; readonly select: readonly Selected<PageInfoMember>[] }

export type AggregateMember =
  | { readonly kind: 'count'; readonly field?: string | undefined }
  | { readonly kind: 'values'; readonly fn: PlainFunction; readonly fields: readonly string[] }
  /** Of a group: those of its keys. */
  | { readonly kind: 'keys'; readonly fields: readonly string[] }

export type EdgeMember =
  | { readonly kind: 'cursor' }
  | { readonly kind: 'typeName' }
  | { readonly kind: 'node'; readonly select: readonly Selected<ObjectMember>[] }

export type PageInfoMember = {
  readonly kind: 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor' | 'typeName'
}

export type ObjectMember =
  | { readonly kind: 'scalar'; readonly field: string }
  | { readonly kind: 'globalId' }
  | { readonly kind: 'typeName' }
  | { readonly kind: 'reference'; readonly field: string; readonly select: readonly Selected<ObjectMember>[] }
  | { readonly kind: 'collection'; readonly field: string; readonly list: ListQuery }

/** One row of an entity by its GlobalId. */
interface NodeQuery {
  readonly entity: string
  readonly row: PlainRow
  readonly select: readonly Selected<ObjectMember>[]
}

export type RootQuery = { readonly as: string } & (
  | { readonly kind: 'list'; readonly list: ListQuery }
  | { readonly kind: 'node' | 'customNode'; readonly node: NodeQuery }
)

/** The texts that only the product can make. */
export interface OpaqueTexts {
  globalIdOf(entity: PlainEntity, row: PlainRow): string
  cursorOf(list: Pick<ListQuery, 'entity' | 'asc' | 'desc'>, row: PlainRow): string
}

/** A part of an answer. */
export type Shown = { [key: string]: Shown } | Shown[] | string | number | boolean | null

/** The `data` of an answer. */
export function evaluate(roots: readonly RootQuery[], data: PlainData, texts: OpaqueTexts): Shown {
  const evaluator = new Evaluator(data, texts)
  return shown(roots, (root) =>
    root.kind === 'list'
      ? evaluator.list(root.list, entityNamed(data, root.list.entity).rows)
      : evaluator.object(entityNamed(data, root.node.entity), root.node.row, root.node.select),
  )
}

/** What is selected of one row. */
export function evaluateObject(
  entity: string,
  row: PlainRow,
  select: readonly Selected<ObjectMember>[],
  data: PlainData,
  texts: OpaqueTexts,
): Shown {
  return new Evaluator(data, texts).object(entityNamed(data, entity), row, select)
}

export function entityNamed(data: PlainData, name: string): PlainEntity {
  const entity = data.get(name)
  if (entity === undefined) throw new Error(`There is no entity ${name}`)
  return entity
}

class Evaluator {
  readonly #data: PlainData
  readonly #texts: OpaqueTexts

  constructor(data: PlainData, texts: OpaqueTexts) {
    this.#data = data
    this.#texts = texts
  }

  list(query: ListQuery, rows: readonly PlainRow[]): Shown {
    const entity = entityNamed(this.#data, query.entity)
    const matching = rows.filter((row) => this.#matches(entity, query, row))
    const page = pageOf(matching, query, orderOf(entity, query, this.#data))
    const cursor = (row: PlainRow | undefined) =>
      row === undefined ? null : this.#texts.cursorOf(query, row)
    return shown(query.select, (member) => {
      switch (member.kind) {
        case 'totalCount':
          return matching.length
        case 'typeName':
          return `${entity.name}_Connection`
        case 'aggregates':
          return aggregated(entity, { keys: {}, rows: matching }, member.select)
        case 'groups': {
          const { by, having, orderBy, offset = 0, limit = Number.POSITIVE_INFINITY } = member
          const groups = groupsOf(matching, by, entity.columns).filter((group) =>
            meetsHaving(group, having, entity.columns),
          )
          return groupsInOrder(groups, orderBy, entity.columns)
            .slice(offset, offset + limit)
            .map((group) => aggregated(entity, group, member.select))
        }
        case 'edges':
          return page.rows.map((row) => this.#edge(entity, row, member.select, cursor))
        case 'pageInfo':
          return shown(member.select, ({ kind }) => {
            if (kind === 'typeName') return 'PageInfo'
            if (kind === 'startCursor') return cursor(page.rows[0])
            return kind === 'endCursor' ? cursor(page.rows.at(-1)) : page[kind]
          })
      }
    })
  }

  object(entity: PlainEntity, row: PlainRow, select: readonly Selected<ObjectMember>[]): Shown {
    return shown(select, (member) => {
      switch (member.kind) {
        case 'scalar':
          return row[member.field] ?? null
        case 'globalId':
          return this.#texts.globalIdOf(entity, row)
        case 'typeName':
          return `${entity.name}_`
        case 'reference': {
          const relation = relationNamed(entity, member.field)
          const target = entityNamed(this.#data, relation.target)
          const referenced = related(row, relation, target)[0]
          return referenced === undefined ? null : this.object(target, referenced, member.select)
        }
        case 'collection': {
          const relation = relationNamed(entity, member.field)
          return this.list(member.list, related(row, relation, entityNamed(this.#data, relation.target)))
        }
      }
    })
  }

  #edge(
    entity: PlainEntity,
    row: PlainRow,
    select: readonly Selected<EdgeMember>[],
    cursor: (row: PlainRow) => string | null,
  ): Shown {
    return shown(select, (member) => {
      if (member.kind === 'cursor') return cursor(row)
      return member.kind === 'typeName' ? `${entity.name}_Edge` : this.object(entity, row, member.select)
    })
  }

  #matches(entity: PlainEntity, { equal, filters }: ListQuery, row: PlainRow): boolean {
    return (
      equal.every(([key, val]) =>
        (Array.isArray(val) ? val : [val]).some((one) =>
          this.#meets(entity, row, { key, op: '==', val: one }),
        ),
      ) && this.#meetsAll(entity, row, filters)
    )
  }

  #meetsAll(entity: PlainEntity, row: PlainRow, filters: readonly FilterElement[]): boolean {
    const meetsElement = (element: FilterElement, groupIsOr: boolean): boolean => {
      if (!isGroup(element)) return this.#meets(entity, row, element)
      const meetsInner = (inner: FilterElement) => meetsElement(inner, !groupIsOr)
      return groupIsOr ? element.some(meetsInner) : element.every(meetsInner)
    }
    return filters.every((element) => meetsElement(element, true))
  }

  #meets(entity: PlainEntity, row: PlainRow, condition: Condition): boolean {
    const { key, op, val } = condition
    const [field = '', inJson] = key.split('->')
    const dot = field.indexOf('.')
    if (dot !== -1) {
      const inner = { ...condition, key: key.slice(dot + 1) }
      return this.#relatedTo(entity, row, key.slice(0, dot)).some(([other, at]) =>
        this.#meets(other, at, inner),
      )
    }
    if (op === 'some' || op === 'every' || op === 'none') {
      const matching = ([other, at]: readonly [PlainEntity, PlainRow]) =>
        this.#meetsAll(other, at, val as readonly FilterElement[])
      const rows = this.#relatedTo(entity, row, key)
      if (op === 'every') return rows.every(matching)
      return rows.some(matching) === (op === 'some')
    }
    if (inJson !== undefined) return meetsInJson(row[field] ?? null, pathOf(inJson), op, val)
    return key === 'GlobalId'
      ? meets('string', this.#texts.globalIdOf(entity, row), op, val)
      : meets(typeOf(entity, key), row[key] ?? null, op, val)
  }

  #relatedTo(entity: PlainEntity, row: PlainRow, field: string): (readonly [PlainEntity, PlainRow])[] {
    const relation = relationNamed(entity, field)
    const target = entityNamed(this.#data, relation.target)
    return related(row, relation, target).map((at) => [target, at] as const)
  }
}

function aggregated(
  { columns }: PlainEntity,
  { keys, rows }: { readonly keys: PlainRow; readonly rows: readonly PlainRow[] },
  select: readonly Selected<AggregateMember>[],
): Shown {
  const value = (aggregate: PlainAggregate) => aggregateOf(aggregate, rows, columns)
  return shown(select, (member) => {
    if (member.kind === 'count') return value({ fn: 'count', field: member.field })
    return Object.fromEntries(
      member.fields.map((field) => [
        field,
        member.kind === 'keys' ? (keys[field] ?? null) : value({ fn: member.fn, field }),
      ]),
    )
  })
}

function isGroup(element: FilterElement): element is readonly FilterElement[] {
  return Array.isArray(element)
}

function typeOf(entity: PlainEntity, field: string): ColumnType {
  const type = entity.columns.get(field)
  if (type === undefined) throw new Error(`${entity.name} has no field ${field}`)
  return type
}

function relationNamed(entity: PlainEntity, field: string): PlainRelation {
  const relation = entity.relations.get(field)
  if (relation === undefined) throw new Error(`${entity.name} has no relation ${field}`)
  return relation
}

/** The rows of the target that belong to a row; none where a part of its key is null. */
function related(row: PlainRow, { own, other }: PlainRelation, target: PlainEntity): readonly PlainRow[] {
  return target.rows.filter((candidate) =>
    own.every((column, index) => {
      const value = row[column] ?? null
      return value !== null && value === candidate[other[index] ?? '']
    }),
  )
}

type Order = (a: PlainRow, b: PlainRow) => number

/** Fields of `asc`, then of `desc`, then the key; the first mention of a field counts. Paths follow references. */
function orderOf(
  entity: PlainEntity,
  { asc, desc }: Pick<ListQuery, 'asc' | 'desc'>,
  data: PlainData,
): Order {
  const terms = [
    ...asc.map((field) => [field, 1] as const),
    ...desc.map((field) => [field, -1] as const),
    ...entity.key.map((field) => [field, 1] as const),
  ].filter(([field], index, all) => all.findIndex(([other]) => other === field) === index)
  return (a, b) => {
    for (const [field, sign] of terms) {
      const [left, right] = [a, b].map((row) => valueAt(entity, row, field, data))
      const difference = compareValues(left?.type ?? 'string', left?.value ?? null, right?.value ?? null)
      if (difference !== 0) return difference * sign
    }
    return 0
  }
}

/** The value of a field, or of one that a path through references leads to. */
function valueAt(
  entity: PlainEntity,
  row: PlainRow | undefined,
  path: string,
  data: PlainData,
): { readonly type: ColumnType; readonly value: PlainValue } {
  const dot = path.indexOf('.')
  if (dot === -1) return { type: typeOf(entity, path), value: row?.[path] ?? null }
  const relation = relationNamed(entity, path.slice(0, dot))
  const target = entityNamed(data, relation.target)
  const next = row === undefined ? undefined : related(row, relation, target)[0]
  return valueAt(target, next, path.slice(dot + 1), data)
}

interface PlainPage {
  readonly rows: readonly PlainRow[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

/** `offset` and `limit` cut the sorted list; https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm pages through the rest. */
function pageOf(matching: readonly PlainRow[], query: ListQuery, order: Order): PlainPage {
  const { offset = 0, limit = Number.POSITIVE_INFINITY, after, before, first, last } = query
  const cut = matching.toSorted(order).slice(offset, offset + limit)
  const isBehind = (row: PlainRow) => after !== undefined && order(row, after) <= 0
  const isAhead = (row: PlainRow) => before !== undefined && order(row, before) >= 0
  let rows = cut.filter((row) => !isBehind(row) && !isAhead(row))
  let hasPreviousPage = cut.some(isBehind)
  let hasNextPage = cut.some(isAhead)
  if (first !== undefined && rows.length > first) {
    rows = rows.slice(0, first)
    hasNextPage = true
  }
  if (last !== undefined && rows.length > last) {
    rows = rows.slice(rows.length - last)
    hasPreviousPage = true
  }
  return { rows, hasNextPage, hasPreviousPage }
}

function shown<Member extends { readonly as: string }>(
  members: readonly Member[],
  show: (member: Member) => Shown,
): Shown {
  return Object.fromEntries(members.map((member) => [member.as, show(member)]))
}
