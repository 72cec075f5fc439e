/** Small random tables of other programs with rows, for mutations: keys of all kinds, and references of several columns. */
import fc, { type GeneratorValue } from 'fast-check'
import type { TableSpec } from '../../../src/database/table-spec.ts'
import type { PlainRow, PlainValue } from '../plain-evaluator.ts'
import { plainEntity } from '../random-data.ts'
import {
  columnTypes,
  rarely,
  shownOf,
  valuesOf,
  type WrittenEntity,
  type WrittenField,
  type WrittenReference,
  type WrittenWorld,
} from './written-world.ts'

type Draw = GeneratorValue

interface Draft {
  readonly entity: WrittenEntity
  readonly spec: TableSpec
  readonly rows: PlainRow[]
}

/** Some of them are words of SQL. */
const names = ['order', 'Group', 'line_item']
const keyNames = ['key0', 'from', 'Key2']
const localNames = ['select', 'c1', 'c2', 'userName']
const types = ['string', 'integer', 'float', 'Date'] as const
const keyTypes = ['string', 'integer', 'Date'] as const
/** Values of keys, few enough to meet again. */
const keyPools = {
  string: ['a', 'b', 'B', 'é', 'x,y', 'a/b', '.', '~1', '', '😀'],
  integer: [1, 2, 3, -1, 0],
  Date: ['2026-01-31', '2024-02-29', '1999-12-31'],
} as const
const defaults = {
  string: { text: "'new'", json: 'new' },
  integer: { text: '5', json: 5 },
  float: { text: '-1.5', json: -1.5 },
  Date: { text: "'2026-01-31'", json: '2026-01-31' },
} as const

/** One to three tables that refer to each other, and sometimes one without a key. */
export const adoptedWorlds: fc.Arbitrary<WrittenWorld> = fc.gen().map((draw) => {
  const drafts: Draft[] = []
  for (const name of names.slice(0, draw(fc.constantFrom, 1, 2, 2, 3))) drafts.push(draft(name, drafts, draw))
  if (rarely(draw, 3)) drafts.push(keyless(draw))
  const specs = drafts.map(({ spec }) => spec)
  return {
    definitions: undefined,
    tables: specs,
    entities: new Map(drafts.map(({ entity }) => [entity.name, entity])),
    data: new Map(drafts.map(({ spec, rows }) => [spec.name, plainEntity(spec, specs, rows)])),
  }
})

const plain = {
  ...{ isKey: false, nullable: true, unique: false, immutable: false },
  ...{ allowed: undefined, default: undefined, refersTo: undefined },
}

type Part = (typeof types)[number]

function keyField(name: string, type: (typeof keyTypes)[number]): WrittenField {
  return { ...plain, name, type, nullable: false, immutable: true, pool: keyPools[type] }
}

/** Columns that refer to a key of a table. */
interface Link {
  readonly reference: WrittenReference
  readonly fields: readonly WrittenField[]
}

function draft(name: string, earlier: readonly Draft[], draw: Draw): Draft {
  const parents = earlier.filter(({ entity }) => entity.rowKey.length > 0)
  const [parent] = parents
  const ofParent =
    parent !== undefined && rarely(draw, 3) ? linkTo(parent.entity, `${name}_of`, true) : undefined
  const key = ofParent === undefined ? drawKey(draw) : partOfParent(ofParent, draw)
  const code = { ...plain, name: 'code', type: 'string', unique: true, pool: keyPools.string } as const
  const together = rarely(draw, 2)
    ? [
        { ...plain, name: 'u0', type: 'string', nullable: !rarely(draw, 3), pool: ['a', 'b'] } as const,
        { ...plain, name: 'u1', type: 'integer', pool: [1, 2, 3] } as const,
      ]
    : []
  const locals = localNames.slice(0, draw(fc.integer, { min: 1, max: 4 })).map((one) => local(one, draw))
  const own: readonly WrittenField[] = [...key, code, ...together, ...locals]
  const rowKey = key.map((field) => field.name)
  const uniqueKeys = [rowKey, together.map((field) => field.name)].filter(({ length }) => length > 1)
  const self = {
    ...entityOf(name, own, rowKey, uniqueKeys),
    references: ofParent ? [ofParent.reference] : [],
  }
  const links = [...parents.map(({ entity }) => entity), self].flatMap((target) =>
    Array.from({ length: draw(fc.constantFrom, 0, 1, 1, 2) }, (_, index) =>
      linkTo(
        target,
        `${target.name}${9 - index}`,
        target !== self && rarely(draw, 4),
        draw(fc.constantFrom, target.rowKey, target.rowKey, ['code'], ...target.uniqueKeys),
      ),
    ),
  )
  const fields = [...own, ...links.flatMap((link) => link.fields)]
  const entity = {
    ...entityOf(name, fields, rowKey, uniqueKeys),
    references: [...self.references, ...links.map(({ reference }) => reference)],
  }
  const made = { entity, spec: specOf(entity), rows: [] as PlainRow[] }
  fillRows(made, earlier, draw)
  return made
}

function entityOf(
  name: string,
  fields: readonly WrittenField[],
  rowKey: readonly string[],
  uniqueKeys: readonly (readonly string[])[],
): WrittenEntity {
  const byName = new Map(fields.map((one) => [one.name, one]))
  return { name, fields: byName, isAdopted: true, rowKey, address: rowKey, references: [], uniqueKeys }
}

/** Numbered by the database, one column, or several. */
function drawKey(draw: Draw): readonly WrittenField[] {
  if (rarely(draw, 3)) {
    return [
      {
        ...keyField('id', 'integer'),
        pool: [1, 2, 3, 4, 5, 6, 7, 8, 15],
        unique: true,
        isNumbered: true,
        isLong: true,
      },
    ]
  }
  const count = draw(fc.constantFrom, 1, 2, 2, 3)
  const key = keyNames.slice(0, count).map((name) => keyField(name, draw(fc.constantFrom, ...keyTypes)))
  return count === 1 ? key.map((field) => ({ ...field, unique: true })) : key
}

/** The key of the parent, and a place below it. */
function partOfParent({ fields }: Link, draw: Draw): readonly WrittenField[] {
  const own = fields.map((field) => ({ ...field, immutable: true }))
  return [...own, keyField('place', draw(fc.constantFrom, 'string', 'integer'))]
}

function local(name: string, draw: Draw): WrittenField {
  const type: Part = draw(fc.constantFrom, ...types)
  const { text, json } = defaults[type]
  const value = { kind: 'literal', json } as const
  return {
    ...{ ...plain, name, type, nullable: !rarely(draw, 3) },
    default: rarely(draw, 3) ? { text, value } : undefined,
    pool: draw(() => fc.array(valuesOf(type), { minLength: 2, maxLength: 5 })),
  }
}

function linkTo(
  target: WrittenEntity,
  stem: string,
  isNeeded: boolean,
  key: readonly string[] = target.rowKey,
): Link {
  const fields = key.map((referenced, part): WrittenField => {
    const { type, pool, isLong = false } = target.fields.get(referenced) as WrittenField
    const refersTo = key.length === 1 ? { entity: target.name, field: referenced } : undefined
    const name = key.length === 1 ? `${stem}_id` : `${stem}_part${part}`
    return { ...plain, name, type, pool, nullable: !isNeeded, refersTo, isLong }
  })
  const names = fields.map(({ name }) => name)
  return { fields, reference: { fields: names, entity: target.name, others: key } }
}

function specOf({ name, fields, rowKey, uniqueKeys, references }: WrittenEntity): TableSpec {
  const own = [...fields.values()]
  const isPrimary = (key: readonly string[]) => key.every((column) => rowKey.includes(column))
  const single = own.filter(({ unique }) => unique).map((one) => [one.name])
  return {
    name,
    columns: own.map((one) => ({
      ...{ name: one.name, nullable: one.nullable },
      type: one.isLong === true ? ('bigInteger' as const) : columnTypes[one.type],
    })),
    primaryKey: rowKey,
    uniqueKeys: [...single, ...uniqueKeys].filter((key) => !isPrimary(key)),
    foreignKeys: references.map((one) => ({
      columns: one.fields,
      referencedTable: one.entity,
      referencedColumns: one.others,
    })),
    indexes: [],
  }
}

function fillRows({ entity, rows }: Draft, earlier: readonly Draft[], draw: Draw): void {
  const size = draw(fc.constantFrom, 0, 1, 3, 5, 8)
  for (let index = 0; index < size; index += 1) {
    const row: Record<string, PlainValue> = {}
    for (const field of entity.fields.values()) {
      const isNull = field.nullable && rarely(draw, 4)
      row[field.name] = isNull ? null : shownOf(field, draw(fc.constantFrom, ...field.pool))
    }
    for (const reference of entity.references) refer(row, reference, { entity, rows }, earlier, draw)
    for (const { name, unique, nullable } of entity.fields.values()) {
      if (unique && nullable && rows.some((other) => other[name] === row[name])) row[name] = null
    }
    if (isWhole(row, entity, rows)) rows.push(row)
  }
}

/** Lets a row refer to one that is there, or to none. */
function refer(
  row: Record<string, PlainValue>,
  { fields, entity: target, others }: WrittenReference,
  { entity, rows }: Pick<Draft, 'entity' | 'rows'>,
  earlier: readonly Draft[],
  draw: Draw,
): void {
  const there =
    target === entity.name ? rows : (earlier.find((one) => one.entity.name === target)?.rows ?? [])
  const other = there.length === 0 || rarely(draw, 5) ? undefined : draw(fc.constantFrom, ...there)
  const lacking = fields.length > 1 && rarely(draw, 6) ? draw(fc.constantFrom, ...fields) : undefined
  for (const [index, field] of fields.entries()) {
    const mayLack = entity.fields.get(field)?.nullable === true
    row[field] = field === lacking && mayLack ? null : (other?.[others[index] ?? ''] ?? null)
  }
}

function isWhole(row: PlainRow, { fields, uniqueKeys }: WrittenEntity, rows: readonly PlainRow[]) {
  const isTaken = (key: readonly string[]) =>
    key.every((name) => row[name] !== null) &&
    rows.some((other) => key.every((name) => other[name] === row[name]))
  const single = [...fields.values()].filter(({ unique }) => unique).map(({ name }) => [name])
  const areNeeded = [...fields.values()].every(({ name, nullable }) => nullable || row[name] !== null)
  return areNeeded && ![...single, ...uniqueKeys].some(isTaken)
}

/** It is only read. */
function keyless(draw: Draw): Draft {
  const fields = ['a', 'b'].map(
    (name): WrittenField => ({ ...plain, name, type: 'integer', pool: keyPools.integer }),
  )
  const entity = entityOf('loose', fields, [], [])
  const size = draw(fc.nat, { max: 3 })
  const rows = Array.from({ length: size }, () => ({
    a: draw(fc.constantFrom, 1, 2),
    b: draw(fc.constantFrom, 3, null),
  }))
  return { entity, spec: specOf(entity), rows }
}
