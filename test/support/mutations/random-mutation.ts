/** Random mutations that fit a world, and some that do not. */
import fc, { type GeneratorValue } from 'fast-check'
import { entityNamed, type PlainRelation, type PlainRow } from '../plain-evaluator.ts'
import { type QueryWorld, randomConditions, randomSelection } from '../random-query.ts'
import type {
  ChangesMember,
  EntityMutation,
  MutationField,
  OfOne,
  PlainAddress,
  PlainInput,
  PlainReference,
} from './mutation.ts'
import { globalId, mutationTexts } from './plain-mutations.ts'
import { type InputKind, inputFields, inputReferences } from './typed-inputs.ts'
import {
  jsonOf,
  valuesOf,
  type WrittenEntity,
  type WrittenField,
  type WrittenWorld,
} from './written-world.ts'

export interface RandomMutation {
  readonly fields: readonly MutationField[]
  /** How it is written: see `printQuery`. */
  readonly style: number
}

/** One to four fields. */
export function randomMutation(world: WrittenWorld): fc.Arbitrary<RandomMutation> {
  return fc.gen().map((draw) => {
    const builder = new MutationBuilder(world, draw)
    const count = draw(fc.constantFrom, 1, 1, 1, 2, 2, 3, 4)
    const fields = Array.from({ length: count }, (_, index) => builder.field(`m${index}`))
    return { fields, style: draw(fc.nat) }
  })
}

/** Identifiers that no path can hold, among others. */
const oddIds = ['', '.', '..', 'a/b', 'a\\b', 'a\tb', '...', 'né w', '\u007f']
const kinds = [
  'create',
  'createAll',
  'update',
  'update',
  'updateAll',
  'upsert',
  'delete',
  'deleteAll',
] as const
const mostNested = 3

class MutationBuilder {
  readonly #world: WrittenWorld
  readonly #queries: QueryWorld
  readonly #draw: GeneratorValue

  constructor(world: WrittenWorld, draw: GeneratorValue) {
    this.#world = world
    this.#queries = { data: world.data, texts: mutationTexts, totalBy: new Map(), hasCursors: false }
    this.#draw = draw
  }

  field(as: string): MutationField {
    if (this.#maybe(20)) return { as, kind: 'typeName' }
    const all = [...this.#world.entities.values()]
    const written = all.filter(({ rowKey }) => rowKey.length > 0)
    const entity = this.#draw(fc.constantFrom, ...(this.#maybe(20) ? all : written))
    return { as, entity: entity.name, ...this.#mutation(entity) }
  }

  #mutation(entity: WrittenEntity): EntityMutation {
    const isChangeable = inputFields(entity, 'Update').length > 0
    const isWritten = entity.rowKey.length > 0
    const kind = this.#draw(fc.constantFrom, ...(isWritten ? kinds : (['create', 'deleteAll'] as const)))
    const select = () => randomSelection(this.#queries, this.#draw, entity.name)
    switch (kind) {
      case 'createAll': {
        const length = this.#draw(fc.constantFrom, 0, 1, 2, 2, 3, 4)
        return {
          kind,
          inputs: Array.from({ length }, () => this.#input(entity, 'Create', 0)),
          select: select(),
        }
      }
      case 'update':
        if (!isChangeable) break
        return { kind, ...this.#one(entity), input: this.#input(entity, 'Update', 0), select: select() }
      case 'updateAll':
        if (!isChangeable) break
        return { kind, ...this.#many(entity), input: this.#input(entity, 'Update', 0) }
      case 'upsert':
        if (!isChangeable) break
        return { kind, input: this.#upserted(entity), select: select() }
      case 'delete':
        return { kind, ...this.#one(entity), select: select() }
      case 'deleteAll':
        return { kind, ...this.#many(entity) }
    }
    return { kind: 'create', input: this.#input(entity, 'Create', 0), select: select() }
  }

  /** Once in so many times. */
  #maybe(of: number): boolean {
    return this.#draw(fc.integer, { min: 1, max: of }) === of
  }

  #row(name: string): PlainRow | undefined {
    const { rows } = entityNamed(this.#world.data, name)
    return rows.length === 0 ? undefined : this.#draw(fc.constantFrom, ...rows)
  }

  #one(entity: WrittenEntity): OfOne {
    return {
      address: this.#address(entity),
      ifMatch: this.#maybe(12) ? this.#draw(fc.constantFrom, '*', '"other"', 'W/"x"', '') : undefined,
    }
  }

  #address(entity: WrittenEntity): PlainAddress {
    const row = this.#maybe(10) ? undefined : this.#row(entity.name)
    const key = this.#keyValues(entity, row)
    if (this.#maybe(30)) {
      const [first = ''] = entity.address
      return this.#draw(fc.constantFrom, {}, { ...key, [first]: null }, { ...key, GlobalId: 'x' })
    }
    if (!this.#maybe(3)) return key
    if (this.#maybe(12))
      return { GlobalId: this.#draw(fc.constantFrom, 'nonsense', '', globalId('Nobody', ['i0'])) }
    const missing = entity.isAdopted ? Object.values(key) : ['none']
    const GlobalId = globalId(
      entity.name,
      row === undefined ? missing : entity.rowKey.map((name) => row[name] ?? null),
    )
    return this.#maybe(4) ? { [entity.address[0] ?? '']: null, GlobalId } : { GlobalId }
  }

  /** The fields that name a row, or none that there is. */
  #keyValues(entity: WrittenEntity, row: PlainRow | undefined): Readonly<Record<string, string | number>> {
    const values = entity.address.map((name) => {
      const known = row?.[name] ?? undefined
      if (known !== undefined) return [name, known] as const
      if (!entity.isAdopted) return [name, this.#id(entity)] as const
      return [name, this.#draw(fc.constantFrom, ...keyPoolOf(entity, name))] as const
    })
    return Object.fromEntries(values)
  }

  #id(entity: WrittenEntity): string {
    if (this.#maybe(8)) return this.#draw(fc.constantFrom, ...oddIds)
    const known = this.#maybe(3) ? this.#row(entity.name)?.id : undefined
    return String(known ?? `new${this.#draw(fc.nat, { max: 3 })}`)
  }

  #many(entity: WrittenEntity) {
    const members: ((index: number) => ChangesMember)[] = [
      () => ({ kind: 'count' }),
      () => ({ kind: 'records', select: randomSelection(this.#queries, this.#draw, entity.name) }),
      () => ({ kind: 'typeName' }),
    ]
    const count = this.#draw(fc.constantFrom, 1, 2, 2, 3)
    const first = this.#draw(fc.nat, { max: members.length - 1 })
    const select = Array.from({ length: count }, (_, index) => {
      const member = members[(first + index) % members.length]?.(index) ?? { kind: 'count' as const }
      return { as: `s${index}`, ...member }
    })
    const where = this.#maybe(4) ? [] : randomConditions(this.#queries, this.#draw, entity.name)
    return { where, select }
  }

  #upserted(entity: WrittenEntity): PlainInput {
    const input = this.#input(entity, 'Create', 0)
    if (this.#maybe(10)) return input
    const row = this.#maybe(2) ? this.#row(entity.name) : undefined
    const values = { ...input.values, ...this.#keyValues(entity, row) }
    const ofKey = inputReferences(entity, 'Create', this.#world)
      .filter(([, { own }]) => own.some((name) => entity.address.includes(name)))
      .map(([name]) => name)
    const references = Object.fromEntries(
      Object.entries(input.references).filter(([name]) => !ofKey.includes(name) || this.#maybe(10)),
    )
    return { values, references }
  }

  #input(entity: WrittenEntity, kind: InputKind, depth: number): PlainInput {
    const values: Record<string, unknown> = {}
    const references: Record<string, PlainReference> = {}
    const replaced = new Set<string>()
    for (const [name, relation] of inputReferences(entity, kind, this.#world)) {
      if (relation.own.some((own) => replaced.has(own)) || !this.#maybe(3)) continue
      references[name] = this.#reference(relation, depth)
      for (const own of relation.own) replaced.add(own)
    }
    const like = entity.isAdopted && this.#maybe(2) ? this.#targetValues(entity) : {}
    for (const field of inputFields(entity, kind)) {
      const { name, isKey, nullable, default: given, isNumbered } = field
      const mayLack = isKey || nullable || given !== undefined || isNumbered || kind === 'Update'
      if (replaced.has(name) ? !this.#maybe(40) : mayLack ? this.#maybe(2) : this.#maybe(80)) continue
      values[name] = like[name] ?? this.#value(entity, field)
    }
    if (this.#maybe(60)) values[this.#draw(fc.constantFrom, 'nope', 'xid', 'instance')] = 'x'
    return { values, references }
  }

  /** Values of all fields that refer, to rows that are there. */
  #targetValues({ references }: WrittenEntity): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      references.flatMap(({ fields, entity, others }) => {
        const row = this.#row(entity)
        return fields.map((name, index) => [name, row?.[others[index] ?? '']] as const)
      }),
    )
  }

  #reference({ target }: PlainRelation, depth: number): PlainReference {
    if (this.#maybe(12)) return this.#draw(fc.constantFrom, null, null, {})
    const entity = this.#world.entities.get(target) as WrittenEntity
    const create = () => this.#input(entity, 'Create', depth + 1)
    const connect = () => this.#key(entity)
    if (this.#maybe(40)) return { create: create(), connect: connect() }
    return depth < mostNested && this.#maybe(2) ? { create: create() } : { connect: connect() }
  }

  /** Of a row by one of its keys, or some of them. */
  #key(entity: WrittenEntity): Readonly<Record<string, unknown>> {
    if (this.#maybe(25)) return {}
    const row = this.#row(entity.name)
    if (row === undefined || this.#maybe(12)) return this.#keyValues(entity, undefined)
    if (entity.isAdopted) return this.#keyOfTable(entity, row)
    const names = [...entity.fields.values()].filter(({ unique }) => unique).map(({ name }) => name)
    const chosen = [
      this.#draw(fc.constantFrom, 'id', 'instance', 'GlobalId', ...names),
      ...(this.#maybe(5) ? [this.#draw(fc.constantFrom, 'id', 'instance', 'GlobalId', ...names)] : []),
    ]
    const other = this.#maybe(8) ? this.#row(entity.name) : undefined
    return Object.fromEntries(
      chosen.map((name, index) => {
        const { instance, ...values } = (index > 0 ? other : undefined) ?? row
        if (name === 'instance') return [name, instance]
        return [
          name,
          name === 'GlobalId' ? globalId(entity.name, [instance ?? null]) : (values[name] ?? null),
        ]
      }),
    )
  }

  /** All fields of one key; now and then one less, or one of another row. */
  #keyOfTable(entity: WrittenEntity, row: PlainRow): Readonly<Record<string, unknown>> {
    const fields = [...entity.fields.values()]
    const keys: readonly (readonly string[])[] = [
      ...fields.filter(({ unique }) => unique).map(({ name }) => [name]),
      ...entity.uniqueKeys,
      ['GlobalId'],
    ]
    const names: readonly string[] = this.#draw(fc.constantFrom, ...keys)
    const lacking = this.#maybe(10) ? names.slice(1) : names
    const other = this.#maybe(8) ? this.#row(entity.name) : undefined
    const id = globalId(
      entity.name,
      entity.rowKey.map((name) => row[name] ?? null),
    )
    const values = lacking.map((name, index) => {
      const from = index > 0 ? (other ?? row) : row
      return [name, name === 'GlobalId' ? id : (from[name] ?? null)] as const
    })
    return Object.fromEntries(values)
  }

  /** Often one that a row has; now and then one that does not fit. */
  #value(entity: WrittenEntity, field: WrittenField): unknown {
    const { name, isKey, type, nullable, allowed, pool, refersTo } = field
    if (this.#maybe(nullable ? 6 : 60)) return null
    // Another program's table takes what its columns take.
    if (!entity.isAdopted && this.#maybe(80))
      return this.#draw(fc.constantFrom, 5, 'text', true, 1.5, '', [1], '\u0000')
    if (entity.isAdopted && this.#maybe(80)) return this.#draw(fc.constantFrom, true, [1], {})
    if (isKey) return this.#id(entity)
    if (refersTo !== undefined) {
      const value = this.#maybe(12) ? undefined : this.#row(refersTo.entity)?.[refersTo.field]
      return value ?? `new${this.#draw(fc.nat, { max: 3 })}`
    }
    if (allowed !== undefined && this.#maybe(20)) return typeof allowed[0] === 'string' ? 'Other' : 17
    const known = this.#maybe(3) ? this.#row(entity.name)?.[name] : undefined
    if (known !== undefined) return jsonOf(field, known)
    if (entity.address.includes(name) || entity.uniqueKeys.some((key) => key.includes(name)))
      return this.#draw(fc.constantFrom, ...pool)
    if (allowed !== undefined || this.#maybe(2)) return this.#draw(fc.constantFrom, ...pool)
    if (type === 'string' && !entity.isAdopted && this.#maybe(20))
      return '😀'.repeat(this.#draw(fc.constantFrom, 255, 256))
    const value = this.#draw(valuesOf, type)
    return type === 'DateTime' && this.#maybe(4) ? `${value}Z` : value
  }
}

function keyPoolOf({ fields }: WrittenEntity, name: string): readonly (string | number)[] {
  return (fields.get(name)?.pool ?? []) as readonly (string | number)[]
}
