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
import { mutationTexts } from './plain-mutations.ts'
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
    const entity = this.#draw(fc.constantFrom, ...this.#world.entities.values())
    return { as, entity: entity.name, ...this.#mutation(entity) }
  }

  #mutation(entity: WrittenEntity): EntityMutation {
    const isChangeable = inputFields(entity, 'Update').length > 0
    const kind = this.#draw(fc.constantFrom, ...kinds)
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
    if (this.#maybe(30)) return this.#draw(fc.constantFrom, {}, { id: null }, { id: 'a', GlobalId: 'x' })
    const row = this.#maybe(10) ? undefined : this.#row(entity.name)
    const id = row === undefined ? this.#id(entity) : String(row.id)
    if (!this.#maybe(3)) return { id }
    if (this.#maybe(12))
      return { GlobalId: this.#draw(fc.constantFrom, 'nonsense', '', globalId('Nobody', 'i0')) }
    const GlobalId = globalId(entity.name, String(row?.instance ?? 'none'))
    return this.#maybe(4) ? { id: null, GlobalId } : { GlobalId }
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
    const known = this.#maybe(2) ? this.#row(entity.name)?.id : undefined
    return { ...input, values: { ...input.values, id: known ?? this.#id(entity) } }
  }

  #input(entity: WrittenEntity, kind: InputKind, depth: number): PlainInput {
    const values: Record<string, unknown> = {}
    const inPlace = new Map<string, readonly [name: string, PlainRelation]>()
    for (const one of inputReferences(entity, kind, this.#world)) inPlace.set(one[1].own[0] ?? '', one)
    const references: Record<string, PlainReference> = {}
    for (const field of inputFields(entity, kind)) {
      const { name, isKey, nullable, default: given } = field
      const mayLack = isKey || nullable || given !== undefined || kind === 'Update'
      if (mayLack ? this.#maybe(2) : this.#maybe(80)) continue
      const reference = inPlace.get(name)
      const isInPlace = reference !== undefined && this.#maybe(2)
      if (isInPlace) references[reference[0]] = this.#reference(reference[1], depth)
      if (!isInPlace || this.#maybe(40)) values[name] = this.#value(entity, field)
    }
    if (this.#maybe(60)) values[this.#draw(fc.constantFrom, 'nope', 'xid', 'instance')] = 'x'
    return { values, references }
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
    if (row === undefined || this.#maybe(12)) return { id: this.#id(entity) }
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
        return [name, name === 'GlobalId' ? globalId(entity.name, String(instance)) : (values[name] ?? null)]
      }),
    )
  }

  /** Often one that a row has; now and then one that does not fit. */
  #value(entity: WrittenEntity, field: WrittenField): unknown {
    const { name, isKey, type, nullable, allowed, pool, refersTo } = field
    if (this.#maybe(nullable ? 6 : 60)) return null
    if (this.#maybe(80)) return this.#draw(fc.constantFrom, 5, 'text', true, 1.5, '', [1], '\u0000')
    if (isKey) return this.#id(entity)
    if (refersTo !== undefined) {
      const value = this.#maybe(12) ? undefined : this.#row(refersTo.entity)?.[refersTo.field]
      return value ?? `new${this.#draw(fc.nat, { max: 3 })}`
    }
    if (allowed !== undefined && this.#maybe(20)) return typeof allowed[0] === 'string' ? 'Other' : 17
    const known = this.#maybe(3) ? this.#row(entity.name)?.[name] : undefined
    if (known !== undefined) return jsonOf(field, known)
    if (allowed !== undefined || this.#maybe(2)) return this.#draw(fc.constantFrom, ...pool)
    if (type === 'string' && this.#maybe(20)) return '😀'.repeat(this.#draw(fc.constantFrom, 255, 256))
    const value = this.#draw(valuesOf, type)
    return type === 'DateTime' && this.#maybe(4) ? `${value}Z` : value
  }
}

function globalId(entity: string, instance: string): string {
  return Buffer.from(`${entity}_:${instance}`).toString('base64')
}
