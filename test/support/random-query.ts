/** Random queries that fit a schema and its rows. */
import fc, { type GeneratorValue } from 'fast-check'
import type { ColumnType } from '../../src/database/database-schema.ts'
import type { Operator } from './compare-values.ts'
import {
  aggregateOf,
  groupsOf,
  isKnown,
  type PlainAggregate,
  type PlainFunction,
  type PlainGroupOrder,
  type PlainGroupTerm,
  type PlainHaving,
  typeOfAggregate,
} from './plain-aggregates.ts'
import {
  type AggregateMember,
  type Condition,
  type ConnectionMember,
  type EdgeMember,
  entityNamed,
  type FilterElement,
  type ListQuery,
  type ObjectMember,
  type OpaqueTexts,
  type PageInfoMember,
  type PlainData,
  type PlainEntity,
  type PlainRow,
  type RootQuery,
  type Selected,
} from './plain-evaluator.ts'
import { isCommonJson, pathsIn, pathText } from './plain-json.ts'
import { valueOfType } from './random-data.ts'

export interface RandomQuery {
  readonly roots: readonly RootQuery[]
  /** How it is written: see `printQuery`. */
  readonly style: number
}

type Draw = GeneratorValue

/** What a query may use. */
export interface QueryWorld {
  readonly data: PlainData
  readonly texts: OpaqueTexts
  /** For an entity without a key the fields that tell its rows apart. */
  readonly totalBy: ReadonlyMap<string, readonly string[]>
  /** False where rows have no cursors that were given before. */
  readonly hasCursors?: false
}

/** Up to three root fields with lists in lists. */
export function randomQuery(world: QueryWorld): fc.Arbitrary<RandomQuery> {
  return fc.gen().map((draw) => {
    const builder = new QueryBuilder(world, draw)
    const count = draw(fc.constantFrom, 1, 1, 1, 2, 3)
    const roots = Array.from({ length: count }, (_, index) => builder.root(`r${index}`))
    return { roots, style: draw(fc.nat) }
  })
}

/** What may be selected of a row; with lists of related rows. */
export function randomSelection(
  world: QueryWorld,
  draw: GeneratorValue,
  entity: string,
): readonly Selected<ObjectMember>[] {
  return new QueryBuilder(world, draw).selection(entityNamed(world.data, entity))
}

/** One to three conditions on rows. */
export function randomConditions(
  world: QueryWorld,
  draw: GeneratorValue,
  entity: string,
): readonly FilterElement[] {
  return new QueryBuilder(world, draw).filters(entityNamed(world.data, entity))
}

const operators: readonly Operator[] = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'between', 'isnull']
const textOperators: readonly Operator[] = [
  'starts',
  'ends',
  'contains',
  'iequals',
  'istarts',
  'iends',
  'icontains',
]
const functions: readonly PlainFunction[] = ['countDistinct', 'sum', 'avg', 'min', 'max']
const maxDepth = 2

class QueryBuilder {
  readonly #world: QueryWorld
  readonly #draw: Draw

  constructor(world: QueryWorld, draw: Draw) {
    this.#world = world
    this.#draw = draw
  }

  root(as: string): RootQuery {
    const entity = this.#entity()
    const row = this.#maybe(5) && entity.key.length > 0 ? this.#row(entity) : undefined
    if (row === undefined) return { as, kind: 'list', list: this.#list(entity, 0) }
    const kind = this.#draw(fc.constantFrom, 'node' as const, 'customNode' as const)
    return { as, kind, node: { entity: entity.name, row, select: this.#object(entity, 0) } }
  }

  selection(entity: PlainEntity): readonly Selected<ObjectMember>[] {
    return this.#object(entity, 1)
  }

  #hasCursors({ key }: PlainEntity): boolean {
    return key.length > 0 && this.#world.hasCursors !== false
  }

  #entity(): PlainEntity {
    return entityNamed(this.#world.data, this.#draw(fc.constantFrom, ...this.#world.data.keys()))
  }

  #row({ rows }: PlainEntity): PlainRow | undefined {
    return rows.length === 0 ? undefined : rows[this.#draw(fc.nat, { max: rows.length - 1 })]
  }

  /** Once in so many times. */
  #maybe(of: number): boolean {
    return this.#draw(fc.integer, { min: 1, max: of }) === of
  }

  #list(entity: PlainEntity, depth: number): ListQuery {
    const total = this.#world.totalBy.get(entity.name) ?? []
    const fields = [...entity.columns.keys()]
    const order = () =>
      this.#maybe(2)
        ? [
            (this.#maybe(4) ? this.#sortPath(entity, 0) : undefined) ??
              this.#draw(fc.constantFrom, ...fields),
          ].concat(this.#maybe(3) ? fields.slice(-1) : [])
        : []
    const [asc, desc] = [order(), order()]
    const missing = total.filter((field) => !asc.includes(field) && !desc.includes(field))
    const cursor = () => (this.#hasCursors(entity) && this.#maybe(4) ? this.#row(entity) : undefined)
    const size = (of: number) =>
      this.#maybe(of) ? this.#draw(fc.integer, { min: 0, max: entity.rows.length + 1 }) : undefined
    return {
      entity: entity.name,
      equal: this.#maybe(4) ? [this.#equality(entity)] : [],
      filters: this.#maybe(2) ? this.filters(entity) : [],
      asc,
      desc: [...desc, ...missing],
      offset: size(5),
      limit: size(5),
      first: size(3),
      last: size(4),
      after: cursor(),
      before: cursor(),
      select: this.#connection(entity, depth),
    }
  }

  /** A path through references to a field; undefined if there are no references. */
  #sortPath(entity: PlainEntity, depth: number): string | undefined {
    const references = [...entity.relations].filter(([, { kind }]) => kind === 'reference')
    if (references.length === 0) return undefined
    const [name, { target }] = this.#draw(fc.constantFrom, ...references)
    const other = entityNamed(this.#world.data, target)
    const further = depth < 2 && this.#maybe(3) ? this.#sortPath(other, depth + 1) : undefined
    return `${name}.${further ?? this.#draw(fc.constantFrom, ...other.columns.keys())}`
  }

  #connection(entity: PlainEntity, depth: number): readonly Selected<ConnectionMember>[] {
    const members: Selected<ConnectionMember>[] = []
    if (!this.#maybe(6)) members.push({ as: 'edges', kind: 'edges', select: this.#edge(entity, depth) })
    if (this.#maybe(2)) members.push({ as: 'totalCount', kind: 'totalCount' })
    if (this.#maybe(2)) members.push({ as: 'pageInfo', kind: 'pageInfo', select: this.#pageInfo(entity) })
    if (this.#maybe(3))
      members.push({ as: 'aggregates', kind: 'aggregates', select: this.#aggregates(entity) })
    if (this.#maybe(3)) members.push(this.#groups(entity, 'groups'))
    if (this.#maybe(12)) members.push(this.#groups(entity, 'others'))
    if (members.length === 0 || this.#maybe(8)) members.push({ as: 'type', kind: 'typeName' })
    return members
  }

  #groups(entity: PlainEntity, as: string): Selected<ConnectionMember> {
    const terms = Array.from({ length: this.#draw(fc.constantFrom, 1, 1, 2, 3) }, () => this.#term(entity))
    const by = terms.filter(({ field }, index) => terms.findIndex((term) => term.field === field) === index)
    const keys = by.map(({ field }) => field).filter((_, index) => index === 0 || !this.#maybe(3))
    const members: Selected<AggregateMember>[] = this.#maybe(6)
      ? []
      : [{ as: 'keys', kind: 'keys', fields: keys }]
    const having = this.#maybe(2) ? this.#having(entity, by) : []
    const orderBy = this.#maybe(2) ? this.#groupOrder(entity, by) : []
    const count = () => (this.#maybe(4) ? this.#draw(fc.integer, { min: 0, max: 4 }) : undefined)
    const select = [...members, ...this.#aggregates(entity)]
    return { as, kind: 'groups', by, having, orderBy, offset: count(), limit: count(), select }
  }

  #groupOrder(entity: PlainEntity, by: readonly PlainGroupTerm[]): PlainGroupOrder {
    return Array.from({ length: this.#draw(fc.constantFrom, 1, 1, 2, 3) }, () => ({
      of: this.#maybe(4) ? { key: this.#draw(fc.constantFrom, ...by).field } : this.#aggregate(entity),
      direction: this.#draw(fc.constantFrom, 'ASC', 'DESC'),
    }))
  }

  #term(entity: PlainEntity): PlainGroupTerm {
    const [field, type] = this.#column(entity)
    if (type === 'date')
      return { field, every: this.#draw(fc.constantFrom, undefined, 'DAY', 'MONTH', 'YEAR') as never }
    return type === 'dateTime'
      ? { field, every: this.#draw(fc.constantFrom, undefined, 'HOUR', 'DAY', 'MONTH', 'YEAR') as never }
      : { field }
  }

  #aggregates(entity: PlainEntity): readonly Selected<AggregateMember>[] {
    const members: Selected<AggregateMember>[] = []
    if (this.#maybe(2)) members.push({ as: 'count', kind: 'count' })
    if (this.#maybe(4)) members.push({ as: 'given', kind: 'count', field: this.#column(entity)[0] })
    for (const fn of functions) {
      const fields = [...entity.columns].flatMap(([field, type]) =>
        isKnown(fn, type) && this.#maybe(4) ? [field] : [],
      )
      if (fields.length > 0)
        members.push({ as: this.#maybe(6) ? `of_${fn}` : fn, kind: 'values', fn, fields })
    }
    return members.length > 0 ? members : [{ as: 'rows', kind: 'count' }]
  }

  #having(entity: PlainEntity, by: readonly PlainGroupTerm[]): PlainHaving {
    const groups = groupsOf(entity.rows, by, entity.columns)
    return Array.from({ length: this.#draw(fc.constantFrom, 1, 1, 2) }, () => {
      const aggregate = this.#aggregate(entity)
      const group = groups[this.#draw(fc.nat, { max: groups.length })]
      const value = group === undefined ? null : aggregateOf(aggregate, group.rows, entity.columns)
      const type = typeOfAggregate(aggregate, entity.columns)
      const op = this.#draw(fc.constantFrom, '==', '!=', '<', '<=', '>', '>=', 'in', 'isnull') as Operator
      if (op === 'isnull') return { ...aggregate, op, val: this.#maybe(2) }
      const val = type === 'decimal' && value !== null ? String(value) : value
      return { ...aggregate, op, val: op === 'in' ? [val] : val }
    })
  }

  #aggregate(entity: PlainEntity): PlainAggregate {
    const [field, type] = this.#column(entity)
    const fn = this.#draw(fc.constantFrom, ...functions)
    return isKnown(fn, type) && !this.#maybe(4) ? { fn, field } : { fn: 'count' }
  }

  #edge(entity: PlainEntity, depth: number): readonly Selected<EdgeMember>[] {
    const node = { as: 'node', kind: 'node', select: this.#object(entity, depth) } as const
    const cursor = { as: 'cursor', kind: 'cursor' } as const
    if (!this.#hasCursors(entity) || this.#maybe(2)) return [node]
    return this.#maybe(2) ? [node, cursor] : [cursor, node]
  }

  #pageInfo(entity: PlainEntity): readonly Selected<PageInfoMember>[] {
    const kinds: PageInfoMember['kind'][] = ['hasNextPage', 'hasPreviousPage']
    if (this.#hasCursors(entity)) kinds.push('startCursor', 'endCursor')
    const chosen = kinds.filter(() => !this.#maybe(3))
    return (chosen.length > 0 ? chosen : kinds.slice(0, 1)).map((kind) => ({ as: kind, kind }))
  }

  #object(entity: PlainEntity, depth: number): readonly Selected<ObjectMember>[] {
    const members: Selected<ObjectMember>[] = []
    for (const field of entity.columns.keys())
      if (this.#maybe(2)) members.push({ as: this.#maybe(6) ? `of_${field}` : field, kind: 'scalar', field })
    if (entity.key.length > 0 && this.#maybe(3)) members.push({ as: 'GlobalId', kind: 'globalId' })
    for (const [field, { kind, target }] of entity.relations) {
      if (depth >= maxDepth || !this.#maybe(2)) continue
      const other = entityNamed(this.#world.data, target)
      if (kind === 'reference') {
        members.push({ as: field, kind, field, select: this.#object(other, depth + 1) })
      } else {
        members.push({ as: field, kind, field, list: this.#list(other, depth + 1) })
        if (this.#maybe(4))
          members.push({ as: `again_${field}`, kind, field, list: this.#list(other, depth + 1) })
      }
    }
    if (members.length === 0 || this.#maybe(8)) members.push({ as: '__typename', kind: 'typeName' })
    return members
  }

  filters(entity: PlainEntity): readonly FilterElement[] {
    return Array.from({ length: this.#draw(fc.integer, { min: 1, max: 3 }) }, () => this.#element(entity, 0))
  }

  #element(entity: PlainEntity, depth: number): FilterElement {
    if (depth >= 3 || !this.#maybe(3))
      return (
        (depth < 3 && this.#maybe(3) ? this.#relatedCondition(entity, depth) : undefined) ??
        this.#condition(entity)
      )
    const length = this.#draw(fc.integer, { min: this.#maybe(8) ? 0 : 1, max: 3 })
    return Array.from({ length }, () => this.#element(entity, depth + 1))
  }

  /** A condition on related rows, or one of a path through references; undefined if there are no relations. */
  #relatedCondition(entity: PlainEntity, depth: number): Condition | undefined {
    if (entity.relations.size === 0) return undefined
    const [name, { kind, target }] = this.#draw(fc.constantFrom, ...entity.relations)
    const other = entityNamed(this.#world.data, target)
    if (kind === 'reference' && this.#maybe(2)) {
      const inner =
        (this.#maybe(3) ? this.#relatedCondition(other, depth + 1) : undefined) ?? this.#condition(other)
      return { ...inner, key: `${name}.${inner.key}` }
    }
    const length = this.#draw(fc.integer, { min: 0, max: 2 })
    return {
      key: name,
      op: this.#draw(fc.constantFrom, 'some' as const, 'every' as const, 'none' as const),
      val: Array.from({ length }, () => this.#element(other, depth + 1)),
    }
  }

  #equality(entity: PlainEntity): readonly [string, unknown] {
    const row = this.#maybe(5) && entity.key.length > 0 ? this.#row(entity) : undefined
    if (row !== undefined) return ['GlobalId', this.#world.texts.globalIdOf(entity, row)]
    const [field, type] = this.#column(entity)
    return [field, this.#maybe(2) ? this.#value(entity, field, type) : this.#values(entity, field, type)]
  }

  #condition(entity: PlainEntity): Condition {
    const row = this.#maybe(12) && entity.key.length > 0 ? this.#row(entity) : undefined
    if (row !== undefined)
      return { key: 'GlobalId', op: 'in', val: [this.#world.texts.globalIdOf(entity, row)] }
    const inJson = this.#maybe(4) ? this.#jsonCondition(entity) : undefined
    if (inJson !== undefined) return inJson
    const [key, type] = this.#column(entity)
    const op = this.#draw(fc.constantFrom, ...operators, ...(type === 'string' ? textOperators : []))
    if (op === 'in' || op === 'not in') return { key, op, val: this.#values(entity, key, type) }
    if (op === 'isnull') return { key, op, val: this.#maybe(2) }
    if (op === 'between') {
      const ends = [this.#value(entity, key, type), this.#value(entity, key, type)]
      return ends.includes(null) ? { key, op: 'isnull', val: true } : { key, op, val: ends }
    }
    const val = this.#value(entity, key, type)
    return {
      key,
      op,
      val: textOperators.includes(op) && val !== null ? this.#cased(op, this.#piece(String(val))) : val,
    }
  }

  /** A condition on a value inside JSON; undefined if there is none. */
  #jsonCondition({ columns, rows }: PlainEntity): Condition | undefined {
    const places = [...columns.keys()]
      .filter((field) => rows.every((row) => isCommonJson(row[field] ?? null)))
      .flatMap((field) => rows.flatMap((row) => pathsIn(row[field]).map((place) => ({ field, ...place }))))
    if (places.length === 0) return undefined
    const { field, path } = this.#draw(fc.constantFrom, ...places)
    const key = `${field}->${pathText(path)}`
    const value = () => {
      const { value: own } = this.#draw(fc.constantFrom, ...places)
      return this.#maybe(6) || typeof own === 'object' ? this.#draw(fc.constantFrom, ...anyJson) : own
    }
    const given = value()
    const op = this.#draw(fc.constantFrom, ...operators, ...(typeof given === 'string' ? textOperators : []))
    if (op === 'isnull') return { key, op, val: this.#maybe(2) }
    if (op === 'in' || op === 'not in') return { key, op, val: [given, value()] }
    if (op !== 'between') return { key, op, val: given }
    const ends = [given, value()]
    return ends.includes(null) ? { key, op: 'isnull', val: true } : { key, op, val: ends }
  }

  #column({ columns }: PlainEntity): readonly [string, ColumnType] {
    return this.#draw(fc.constantFrom, ...columns)
  }

  #values(entity: PlainEntity, field: string, type: ColumnType): readonly unknown[] {
    const length = this.#draw(fc.integer, { min: 0, max: this.#maybe(4) ? 12 : 3 })
    return Array.from({ length }, () => this.#value(entity, field, type))
  }

  /** A value that is in the column, sometimes another, sometimes none. */
  #value(entity: PlainEntity, field: string, type: ColumnType): unknown {
    if (this.#maybe(10)) return null
    const own = this.#maybe(4) ? undefined : this.#row(entity)?.[field]
    const value = own ?? this.#draw(anyValueOf, type)
    return this.#maybe(4) ? this.#otherForm(type, value) : value
  }

  /** The same value as another type of JSON, where nothing is lost. */
  #otherForm(type: ColumnType, value: unknown): unknown {
    if (type === 'integer' || type === 'bigint' || type === 'float') return String(value)
    if (type === 'dateTime') return `${value}Z`
    const isShort = type === 'decimal' && /^-?\d{1,9}(\.\d{1,5})?$/.test(String(value))
    return isShort ? Number(value) : value
  }

  /** With other letters, where they are alike. */
  #cased(op: Operator, text: string): string {
    if (!op.startsWith('i') || this.#maybe(3)) return text
    return this.#maybe(2) ? text.toUpperCase() : text.toLowerCase()
  }

  #piece(whole: string): string {
    const characters = Array.from(whole)
    const start = this.#draw(fc.nat, { max: characters.length })
    const end = this.#draw(fc.nat, { max: characters.length })
    return characters.slice(Math.min(start, end), Math.max(start, end)).join('')
  }
}

const anyJson = [null, true, false, 0, 1, -2.5, '', 'a', '1', 'true', 'null'] as const

const anyValueOf = (type: ColumnType) => valueOfType[type]
