/** What mutations write, and small random entity definitions with rows; the same on every product. */
import fc, { type GeneratorValue } from 'fast-check'
import type { SpecType, TableSpec } from '../../../src/database/table-spec.ts'
import type { FieldTypeName } from '../../../src/entity/definition/field-types/index.ts'
import type { PlainData, PlainRow, PlainValue } from '../plain-evaluator.ts'
import { plainEntity, valuesOfSpec } from '../random-data.ts'
import { definition, field, type Json, reference } from '../temporary-entities.ts'

/** A field that clients write, with values as inputs take them. */
export interface WrittenField {
  readonly name: string
  readonly type: FieldTypeName
  readonly isKey: boolean
  readonly nullable: boolean
  readonly unique: boolean
  readonly immutable: boolean
  readonly allowed: readonly unknown[] | undefined
  readonly default: FieldDefault | undefined
  readonly refersTo: { readonly entity: string; readonly field: string } | undefined
  /** Whether the database numbers the rows in it. */
  readonly isNumbered?: boolean
  /** Whether an integer has 64 bits. */
  readonly isLong?: boolean
  /** Values that rows and inputs often have. */
  readonly pool: readonly unknown[]
}

/** As the definition writes it, and the value that a record gets. */
interface FieldDefault {
  readonly text: string
  readonly value: { readonly kind: 'literal'; readonly json: unknown } | { readonly kind: 'now' | 'uuid' }
}

/** Fields that together have the values of fields of another record. */
export interface WrittenReference {
  readonly fields: readonly string[]
  readonly entity: string
  readonly others: readonly string[]
}

export interface WrittenEntity {
  readonly name: string
  readonly fields: ReadonlyMap<string, WrittenField>
  /** Whether it is a table that another program made. */
  readonly isAdopted: boolean
  /** The columns that tell its rows apart; none if nothing does, so that it is only read. */
  readonly rowKey: readonly string[]
  /** The fields by which clients name a record. */
  readonly address: readonly string[]
  readonly references: readonly WrittenReference[]
  /** Unique keys of several fields, the primary one among them. */
  readonly uniqueKeys: readonly (readonly string[])[]
}

export interface WrittenWorld {
  /** To be uploaded; undefined for tables that another program makes. */
  readonly definitions: readonly Json[] | undefined
  /** In the order in which rows can be inserted. */
  readonly tables: readonly TableSpec[]
  readonly entities: ReadonlyMap<string, WrittenEntity>
  /** With the rows before a mutation. */
  readonly data: PlainData
}

type Draw = GeneratorValue

/** The columns of fields. */
export const columnTypes: Readonly<Record<FieldTypeName, SpecType>> = {
  string: 'string',
  text: 'text',
  integer: 'integer',
  float: 'float',
  decimal: 'decimal',
  boolean: 'smallInteger',
  DateTime: 'dateTime',
  Date: 'date',
  array: 'jsonText',
  object: 'jsonText',
}

const lists = fc.array(fc.constantFrom<unknown>(1, 'a', null, true, 1.5, [1], { a: 1 }, ''), { maxLength: 3 })
const objects = fc.constantFrom<unknown>(
  {},
  { a: 1 },
  { a: null, b: { c: 1 } },
  { b: { c: null, d: 'x' } },
  { c: [1, null], a: 'é' },
  { b: { d: 'y' }, a: 1 },
)

/** A value of a type as inputs take it. */
export function valuesOf(type: FieldTypeName): fc.Arbitrary<unknown> {
  if (type === 'boolean') return fc.boolean()
  if (type === 'array') return lists
  return type === 'object' ? objects : valuesOfSpec(columnTypes[type])
}

/** What is shown of a value that was taken. */
export function shownOf({ type }: Pick<WrittenField, 'type'>, json: unknown): PlainValue {
  if (json === null) return null
  if (type === 'boolean') return Number(json)
  if (type === 'array' || type === 'object') return JSON.stringify(json)
  if (type === 'DateTime') return String(json).replace(/Z$/, '')
  return type === 'float' || type === 'integer' ? Number(json) + 0 : String(json)
}

/** The value of a row, as an input would give it. */
export function jsonOf({ type }: Pick<WrittenField, 'type'>, shown: PlainValue): unknown {
  if (shown === null) return null
  if (type === 'boolean') return shown !== 0
  return type === 'array' || type === 'object' ? (JSON.parse(String(shown)) as unknown) : shown
}

const keys = ['a', 'b', 'B', 'é', '😀', 'x,y', '~%', 'a b', 'c;d', "o'k"]
const fieldTypes = Object.keys(columnTypes) as readonly FieldTypeName[]
const uniqueTypes: readonly FieldTypeName[] = ['string', 'integer', 'decimal', 'DateTime', 'Date', 'float']
const names = ['Item', 'order', 'Note_2']
/** What mutations write of their origin, and rows have before. */
export const origins = { xid: 'x', xname: 'n', before: 'before' } as const
/** When mutations are carried out. */
export const timeOfMutations = new Date('2026-01-31T09:30:00.25Z')

interface Draft {
  readonly entity: WrittenEntity
  readonly spec: TableSpec
  readonly rows: PlainRow[]
}

/** One to three entities that refer to each other. */
export const writtenWorlds: fc.Arbitrary<WrittenWorld> = fc.gen().map((draw) => {
  const drafts: Draft[] = []
  for (const name of names.slice(0, draw(fc.constantFrom, 1, 2, 2, 3))) drafts.push(draft(name, drafts, draw))
  const specs = drafts.map(({ spec }) => spec)
  return {
    definitions: drafts.map(({ entity }) => definitionOf(entity)),
    tables: specs,
    entities: new Map(drafts.map(({ entity }) => [entity.name, entity])),
    data: new Map(drafts.map(({ spec, rows }) => [spec.name, plainEntity(spec, specs, rows)])),
  }
})

function draft(name: string, earlier: readonly Draft[], draw: Draw): Draft {
  const id: WrittenField = {
    ...{ name: 'id', type: 'string', isKey: true, nullable: true, unique: true, allowed: undefined },
    ...{ immutable: draw(fc.constantFrom, false, false, true), default: undefined, refersTo: undefined },
    pool: keys,
  }
  const code = drawField('code', draw(fc.constantFrom, 'string', ...uniqueTypes), true, draw)
  const locals = Array.from({ length: draw(fc.integer, { min: 1, max: 5 }) }, (_, index) =>
    drawField(`c${index}`, draw(fc.constantFrom, ...fieldTypes), false, draw),
  )
  const own = [id, code, ...locals]
  const self = entityOf(name, own)
  const references = [...earlier.map(({ entity }) => entity), self].flatMap((target) =>
    drawReferences(target, target === self, draw),
  )
  const entity = entityOf(name, [...own, ...references])
  const made = { entity, spec: specOf(entity), rows: [] as PlainRow[] }
  fillRows(made, earlier, draw)
  return made
}

function entityOf(name: string, fields: readonly WrittenField[]): WrittenEntity {
  return {
    ...{ name, fields: new Map(fields.map((one) => [one.name, one])), isAdopted: false },
    ...{ rowKey: ['instance'], address: ['id'], uniqueKeys: [] },
    references: fields.flatMap(({ name: field, refersTo }) =>
      refersTo === undefined ? [] : [{ fields: [field], entity: refersTo.entity, others: [refersTo.field] }],
    ),
  }
}

/** Once in so many times. */
export const rarely = (draw: Draw, of: number) => draw(fc.integer, { min: 1, max: of }) === of

function drawField(name: string, type: FieldTypeName, unique: boolean, draw: Draw): WrittenField {
  const enums: readonly (readonly unknown[])[] =
    type === 'string'
      ? [
          ['Red', 'Green', '_blue'],
          ['b c', 'true', ''],
        ]
      : [[1, 2, -3]]
  const mayHaveEnum = !unique && (type === 'string' || type === 'integer')
  const allowed = mayHaveEnum && rarely(draw, 2) ? draw(fc.constantFrom, ...enums) : undefined
  const pool = allowed ?? draw(poolOf, type)
  return {
    ...{ name, type, isKey: false, unique, allowed, pool, refersTo: undefined },
    nullable: !rarely(draw, 3),
    immutable: rarely(draw, 5),
    default: rarely(draw, 4) ? defaultOf(type, allowed, draw) : undefined,
  }
}

const poolOf = (type: FieldTypeName) => fc.array(valuesOf(type), { minLength: 2, maxLength: 5 })

function defaultOf(
  type: FieldTypeName,
  allowed: readonly unknown[] | undefined,
  draw: Draw,
): FieldDefault | undefined {
  const literal = (text: string, json: unknown): FieldDefault => ({ text, value: { kind: 'literal', json } })
  if (allowed !== undefined) return literal(JSON.stringify(allowed[1]), allowed[1])
  switch (type) {
    case 'string':
      return draw(fc.boolean) ? literal("'new'", 'new') : { text: 'uuid()', value: { kind: 'uuid' } }
    case 'text':
      return literal("'new'", 'new')
    case 'integer':
      return literal('5', 5)
    case 'float':
      return literal('-1.5', -1.5)
    case 'decimal':
      return literal("'1.5'", '1.5')
    case 'boolean':
      return draw(fc.boolean) ? literal('True', true) : literal('false', false)
    case 'array':
      return literal('[]', [])
    case 'object':
      return literal('{}', {})
    default:
      return { text: 'now()', value: { kind: 'now' } }
  }
}

/** References to the identifier or to the unique text of an entity, none to two. */
function drawReferences(target: WrittenEntity, isOwn: boolean, draw: Draw): readonly WrittenField[] {
  const referable = [...target.fields.values()].filter(({ unique, type }) => unique && type === 'string')
  return Array.from({ length: draw(fc.constantFrom, 0, 1, 1, 2) }, (_, index): WrittenField => {
    const { name } = draw(fc.constantFrom, ...referable)
    return {
      ...{ name: `${target.name}${9 - index}_id`, type: 'string', isKey: false, allowed: undefined },
      ...{ default: undefined, refersTo: { entity: target.name, field: name }, pool: [] },
      // A first row could refer to nothing but itself.
      nullable: isOwn || !rarely(draw, 4),
      unique: rarely(draw, 6),
      immutable: rarely(draw, 6),
    }
  })
}

function specOf({ name, fields }: WrittenEntity): TableSpec {
  const system = ['instance', 'xid', 'xname'].map((column) => ({
    name: column,
    type: 'string' as const,
    nullable: column !== 'instance',
  }))
  const own = [...fields.values()]
  return {
    name,
    columns: [
      ...system,
      ...own.map((one) => ({ name: one.name, type: columnTypes[one.type], nullable: one.nullable })),
    ],
    primaryKey: ['instance'],
    uniqueKeys: own.filter(({ unique }) => unique).map((one) => [one.name]),
    foreignKeys: own.flatMap(({ name: column, refersTo }) =>
      refersTo === undefined
        ? []
        : [{ columns: [column], referencedTable: refersTo.entity, referencedColumns: [refersTo.field] }],
    ),
    indexes: [],
  }
}

function fillRows({ entity, rows }: Draft, earlier: readonly Draft[], draw: Draw): void {
  const size = draw(fc.constantFrom, 0, 1, 3, 5, 8)
  for (let index = 0; index < size; index += 1) {
    const row: Record<string, PlainValue> = {
      instance: `i${index}`,
      xid: origins.before,
      xname: origins.before,
    }
    for (const one of entity.fields.values()) {
      const { name, nullable, unique, isKey, refersTo } = one
      const targets =
        refersTo && (earlier.find((other) => other.entity.name === refersTo.entity)?.rows ?? rows)
      const values = targets
        ? targets.map((target) => target[refersTo?.field ?? ''] ?? null)
        : one.pool.map((json) => shownOf(one, json))
      const isNull = nullable && !isKey && rarely(draw, 4)
      const value = isNull || values.length === 0 ? null : draw(fc.constantFrom, ...values)
      const isTaken = unique && rows.some((other) => other[name] === value)
      row[name] = isTaken ? null : value
    }
    const isWhole = [...entity.fields.values()].every(
      ({ name, nullable, isKey }) => row[name] !== null || (nullable && !isKey),
    )
    if (isWhole) rows.push(row)
  }
}

function definitionOf({ name, fields }: WrittenEntity): Json {
  const own = [...fields.values()]
  const common = ({ nullable, unique, immutable, default: given }: WrittenField) => ({
    field_nullable: nullable,
    field_unique: unique,
    field_immutable: immutable,
    ...(given && { field_default: given.text }),
  })
  const identifier = own.find(({ isKey }) => isKey)
  return definition(name, {
    identifier: { field_immutable: identifier?.immutable === true },
    local: own
      .filter(({ isKey, refersTo }) => !isKey && refersTo === undefined)
      .map((one) =>
        field(one.name, one.type, { ...common(one), ...(one.allowed && { field_enum: one.allowed }) }),
      ),
    refs: own.flatMap((one) =>
      one.refersTo === undefined
        ? []
        : [reference(one.name, one.refersTo.entity, one.refersTo.field, common(one))],
    ),
  })
}
