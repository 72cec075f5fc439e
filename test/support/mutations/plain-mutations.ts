/** What the contract says of mutations, in the plainest way: rows in memory, changed one after the other. */
import { isDeepStrictEqual } from 'node:util'
import {
  entityNamed,
  evaluate,
  evaluateObject,
  type FilterElement,
  type ObjectMember,
  type OpaqueTexts,
  type PlainData,
  type PlainRow,
  type PlainValue,
  type Selected,
  type Shown,
} from '../plain-evaluator.ts'
import type { ChangesMember, EntityMutation, MutationField, OfOne, PlainInput } from './mutation.ts'
import { isRefusedBeforehand } from './typed-inputs.ts'
import {
  jsonOf,
  origins,
  shownOf,
  timeOfMutations,
  type WrittenEntity,
  type WrittenField,
  type WrittenReference,
  type WrittenWorld,
} from './written-world.ts'

/** What a mutation must be answered, and what it leaves. */
export type MutationOutcome =
  /** It is no operation of the schema, or its variables do not fit. */
  | { readonly kind: 'noOperation' }
  | ({ readonly kind: 'refused' } & Refusal)
  | { readonly kind: 'done'; readonly data: Shown; readonly after: PlainData }

/** The error of a mutation; nothing was changed. */
interface Refusal {
  /** The response key of the field. */
  readonly as: string
  readonly code: string
  /** Sorted; undefined where the database says what it refuses, each in its own way. */
  readonly pointers: readonly string[] | undefined
  /** Which one of many records it is about. */
  readonly record: string | undefined
}

/** A field that a database may refuse, since it checks the reference to another record of the same call too early. */
interface Refusable {
  readonly as: string
  /** Whether only a database does so that checks record by record, and not when a statement is done. */
  readonly isByRecord: boolean
}

/** What a mutation must be answered. */
export interface Evaluation {
  readonly outcome: MutationOutcome
  readonly refusable: readonly Refusable[]
}

/** Evaluates a mutation of the rows that the world has. */
export function evaluateMutation(fields: readonly MutationField[], world: WrittenWorld): Evaluation {
  if (fields.some((field) => isRefusedBeforehand(field, world))) {
    return { outcome: { kind: 'noOperation' }, refusable: [] }
  }
  // Conditions are looked at before anything is carried out.
  const empty = fields.find((field) => 'where' in field && field.where.some(saysNothing))
  if (empty !== undefined) {
    const mistake = { code: 'PARAMETER_INVALID', pointers: undefined, record: undefined }
    return { outcome: { kind: 'refused', as: empty.as, ...mistake }, refusable: [] }
  }
  const model = new MutationModel(world)
  let current = ''
  try {
    const shown = fields.map((field) => {
      current = field.as
      return [field.as, field.kind === 'typeName' ? 'Mutation' : model.carryOut(field)] as const
    })
    const outcome = { kind: 'done', data: Object.fromEntries(shown), after: model.data } as const
    return { outcome, refusable: model.refusable }
  } catch (error) {
    if (!(error instanceof Mistakes)) throw error
    const { code, pointers, record } = error
    const outcome = { kind: 'refused', as: current, code, pointers: pointers?.toSorted(), record } as const
    return { outcome, refusable: model.refusable }
  }
}

/** The texts of rows of entities. Cursors are not shown. */
export const mutationTexts: OpaqueTexts = {
  globalIdOf: ({ name, key }, row) =>
    globalId(
      name,
      key.map((column) => row[column] ?? null),
    ),
  cursorOf: () => {
    throw new Error('Results of mutations have no cursors here.')
  },
}

/** The id of a row with a key. */
export function globalId(entity: string, key: readonly PlainValue[]): string {
  const texts = key.map(String)
  const text = texts.length === 1 ? texts[0] : JSON.stringify(texts)
  return Buffer.from(`${entity}_:${text}`).toString('base64')
}

class Mistakes extends Error {
  readonly code: string
  readonly pointers: readonly string[] | undefined
  readonly record: string | undefined

  constructor(code: string, pointers: readonly string[] | undefined, record?: string) {
    super(code)
    this.code = code
    this.pointers = pointers
    this.record = record
  }
}

/** Tells the mistakes of all items together. */
function forEach<Item>(items: readonly Item[], work: (item: Item) => void): void {
  const pointers: string[] = []
  for (const item of items) {
    try {
      work(item)
    } catch (error) {
      if (!(error instanceof Mistakes) || error.code !== 'RECORD_INVALID') throw error
      pointers.push(...(error.pointers ?? []))
    }
  }
  if (pointers.length > 0) throw new Mistakes('RECORD_INVALID', pointers)
}

/** Whether a condition of a write has a part without conditions. */
function saysNothing(element: FilterElement): boolean {
  if (!('key' in element)) return element.length === 0 || element.some(saysNothing)
  const { op, val } = element
  if (op !== 'some' && op !== 'every' && op !== 'none') return false
  const inside = val as readonly FilterElement[]
  return inside.length === 0 || inside.some(saysNothing)
}

type Document = Record<string, unknown>

/** Inputs and where they stand. */
interface Placed {
  readonly inputs: readonly PlainInput[]
  readonly pointers: readonly string[]
}

type Named = { readonly as: string; readonly entity: string }

class MutationModel {
  readonly #world: WrittenWorld
  #data: PlainData
  #instances = 0
  #uuids = 0
  #numbers = new Map<string, number>()
  #current = ''
  readonly refusable: Refusable[] = []

  constructor(world: WrittenWorld) {
    this.#world = world
    this.#data = world.data
  }

  get data(): PlainData {
    return this.#data
  }

  carryOut(field: Named & EntityMutation): Shown {
    this.#current = field.as
    const { entity: name } = field
    const show = (row: PlainRow, select: readonly Selected<ObjectMember>[]) =>
      evaluateObject(name, this.#now(name, row), select, this.#data, mutationTexts)
    switch (field.kind) {
      case 'create':
        return show(this.#createOne(name, field.input), field.select)
      case 'createAll': {
        const pointers = field.inputs.map((_, index) => `/inputs/${index}`)
        const documents = this.#documents(name, { inputs: field.inputs, pointers })
        if (documents.length === 0) throw new Mistakes('RECORD_INVALID', ['/inputs'])
        return this.#create(name, documents, pointers).map((row) => show(row, field.select))
      }
      case 'update': {
        const row = this.#addressed(name, field)
        const document = this.#document(name, field.input)
        // The input may have created it.
        const found = this.#preconditioned(row ?? this.#addressed(name, field), field)
        return show(this.#change(name, found, document), field.select)
      }
      case 'upsert':
        return show(this.#upsert(name, field.input), field.select)
      case 'delete': {
        const row = this.#preconditioned(this.#addressed(name, field), field)
        const shown = show(row, field.select)
        this.#remove(name, row)
        return shown
      }
      case 'updateAll': {
        const rows = this.#matching(name, field.where)
        const document = rows.length === 0 ? {} : this.#document(name, field.input)
        const changed = rows.map((row) =>
          ofRecord(row, this.#entity(name), () => this.#change(name, this.#now(name, row), document)),
        )
        return this.#changes(name, changed, field.select)
      }
      case 'deleteAll': {
        const rows = this.#matching(name, field.where)
        const shown = this.#changes(name, rows, field.select)
        for (const row of rows) ofRecord(row, this.#entity(name), () => this.#remove(name, row))
        return shown
      }
    }
  }

  #changes(name: string, rows: readonly PlainRow[], select: readonly Selected<ChangesMember>[]): Shown {
    const members = select.map((member) => {
      if (member.kind === 'typeName') return [member.as, `${name}_Changes`] as const
      if (member.kind === 'count') return [member.as, rows.length] as const
      const records = rows.map((row) =>
        evaluateObject(name, this.#now(name, row), member.select, this.#data, mutationTexts),
      )
      return [member.as, records] as const
    })
    return Object.fromEntries(members)
  }

  #entity(name: string): WrittenEntity {
    return this.#world.entities.get(name) as WrittenEntity
  }

  #rows(name: string): readonly PlainRow[] {
    return entityNamed(this.#data, name).rows
  }

  /** A row as it has become. */
  #now(name: string, former: PlainRow): PlainRow {
    return this.#rows(name).find((row) => this.#isSame(name, row, former)) as PlainRow
  }

  #isSame(name: string, one: PlainRow, other: PlainRow): boolean {
    return this.#entity(name).rowKey.every((column) => one[column] === other[column])
  }

  #replaceRows(name: string, rows: readonly PlainRow[]): void {
    this.#data = new Map([...this.#data, [name, { ...entityNamed(this.#data, name), rows }]])
  }

  /** In the order of their keys. */
  #matching(name: string, where: readonly FilterElement[]): readonly PlainRow[] {
    const node = {
      as: 'node',
      kind: 'node',
      select: this.#entity(name).rowKey.map((field) => ({ as: field, kind: 'scalar', field }) as const),
    } as const
    const select = [{ as: 'edges', kind: 'edges', select: [node] }] as const
    const list = { entity: name, equal: [], filters: where, asc: [], desc: [], select }
    const data = evaluate([{ as: 'list', kind: 'list', list }], this.#data, mutationTexts)
    const { edges } = (data as unknown as { list: { edges: { node: PlainRow }[] } }).list
    return edges.map((edge) => this.#now(name, edge.node))
  }

  /** Undefined where there is no record with the key. */
  #addressed(name: string, { address: { GlobalId, ...key }, ifMatch }: OfOne): PlainRow | undefined {
    const { address, isAdopted, rowKey } = this.#entity(name)
    const given = address.filter((field) => (key[field] ?? undefined) !== undefined)
    const isById = typeof GlobalId === 'string'
    const isNamed = isById ? given.length === 0 : given.length === address.length
    if (!isNamed) throw new Mistakes('PARAMETER_INVALID', [])
    if (!isById) {
      if (!isAdopted && !mayBeInPath(String(key.id))) throw missing(ifMatch)
      return this.#rows(name).find((row) => address.every((field) => row[field] === key[field]))
    }
    const [type] = Buffer.from(GlobalId, 'base64').toString().split(':')
    if (type !== `${name}_`) throw new Mistakes('PARAMETER_INVALID', [])
    const idOf = (row: PlainRow) =>
      globalId(
        name,
        rowKey.map((column) => row[column] ?? null),
      )
    const row = this.#rows(name).find((one) => idOf(one) === GlobalId)
    // There is no key to carry on with.
    if (row === undefined) throw missing(ifMatch)
    return row
  }

  /** No record has the tags that are sent here. */
  #preconditioned(row: PlainRow | undefined, { ifMatch }: OfOne): PlainRow {
    if (row === undefined) throw missing(ifMatch)
    if (ifMatch !== undefined && ifMatch !== '*') throw new Mistakes('PRECONDITION_FAILED', [])
    return row
  }

  #createOne(name: string, input: PlainInput): PlainRow {
    const [row] = this.#create(name, [this.#document(name, input)], ['/input'])
    return row as PlainRow
  }

  #upsert(name: string, input: PlainInput): PlainRow {
    const { address, isAdopted } = this.#entity(name)
    const missing = address.filter((field) => (input.values[field] ?? null) === null)
    if (missing.length > 0)
      throw new Mistakes(
        'RECORD_INVALID',
        missing.map((field) => `/input/${field}`),
      )
    if (!isAdopted && !mayBeInPath(String(input.values.id)))
      throw new Mistakes('RECORD_INVALID', ['/input/id'])
    const wrong = address.filter((field) => {
      const known = this.#entity(name).fields.get(field)
      return isAdopted && known !== undefined && isWrongType(known, input.values[field])
    })
    if (wrong.length > 0)
      throw new Mistakes(
        'RECORD_INVALID',
        wrong.map((field) => `/input/${field}`),
      )
    const row = this.#rows(name).find((one) => address.every((field) => one[field] === input.values[field]))
    if (row === undefined) return this.#createOne(name, input)
    return this.#change(name, row, this.#document(name, input))
  }

  #document(name: string, input: PlainInput): Document {
    return this.#documents(name, { inputs: [input], pointers: ['/input'] })[0] ?? {}
  }

  /** The values of inputs by their fields; what they create in place is created. */
  #documents(name: string, { inputs, pointers }: Placed): readonly Document[] {
    const documents = inputs.map(({ values }): Document => ({ ...values }))
    const { relations } = entityNamed(this.#data, name)
    for (const [reference, { target, own, other }] of relations) {
      const uses = inputs.flatMap(({ references }, index) => {
        const given = references[reference]
        const document = documents[index] as Document
        return given === undefined ? [] : [{ given, document, pointer: `${pointers[index]}/${reference}` }]
      })
      const refer = (document: Document, row: PlainRow | undefined, pointer: string) => {
        for (const [index, field] of own.entries())
          document[field] = referable(row, other[index] ?? '', pointer)
      }
      forEach(uses, ({ given, document, pointer }) => {
        const isOneWay = given === null || (given.create === undefined) !== (given.connect === undefined)
        if (own.some((field) => Object.hasOwn(document, field)) || !isOneWay)
          throw new Mistakes('RECORD_INVALID', [pointer])
      })
      const creating = uses.flatMap((use) =>
        use.given?.create ? [{ ...use, create: use.given.create }] : [],
      )
      if (creating.length > 0) {
        const places = creating.map(({ pointer }) => `${pointer}/create`)
        const made = this.#documents(target, {
          inputs: creating.map(({ create }) => create),
          pointers: places,
        })
        const rows = this.#create(target, made, places)
        for (const [index, { document }] of creating.entries())
          refer(document, rows[index], places[index] ?? '')
      }
      forEach(uses, ({ given, document, pointer }) => {
        if (given === null) for (const field of own) document[field] = null
        else if (given.connect !== undefined) {
          const place = `${pointer}/connect`
          refer(document, this.#connected(target, given.connect, place), place)
        }
      })
    }
    return documents
  }

  #connected(target: string, key: Readonly<Record<string, unknown>>, pointer: string): PlainRow {
    const entity = entityNamed(this.#data, target)
    const wanted = Object.entries(key).filter(([, value]) => value !== null)
    const held = (row: PlainRow, name: string) =>
      name === 'GlobalId' ? mutationTexts.globalIdOf(entity, row) : row[name]
    const [row, ...others] = entity.rows.filter((one) =>
      wanted.every(([name, value]) => held(one, name) === value),
    )
    if (row === undefined || others.length > 0 || wanted.length === 0)
      throw new Mistakes('RECORD_INVALID', [pointer])
    return row
  }

  #create(name: string, documents: readonly Document[], pointers: readonly string[]): readonly PlainRow[] {
    const { fields, isAdopted } = this.#entity(name)
    const found = new Found()
    const rows = documents.map((document, index) => {
      const row: Record<string, PlainValue> = isAdopted
        ? {}
        : { instance: '', xid: origins.xid, xname: origins.xname }
      for (const field of fields.values()) {
        const json = Object.hasOwn(document, field.name) ? document[field.name] : this.#absent(name, field)
        if (json === undefined || isWrong(field, json)) found.invalid(`${pointers[index]}/${field.name}`)
        else row[field.name] = shownOf(field, json)
      }
      return row
    })
    for (const field of fields.values()) this.#checkNew(name, field, rows, pointers, found)
    for (const [index, row] of rows.entries())
      this.#checkReferences(
        name,
        { row, document: documents[index] ?? {}, pointer: pointers[index] ?? '' },
        rows,
        found,
      )
    found.throwIfAny()
    if (!isAdopted) for (const row of rows) row.instance = this.#nextInstance()
    this.#replaceRows(name, [...this.#rows(name), ...rows])
    this.#checkTogether(name, rows)
    for (const [index, row] of rows.entries()) {
      this.#mayBeRefused(name, row, rows.slice(index), true)
      // Records whose keys are not sent are written by a statement each.
      if (isAdopted) this.#mayBeRefused(name, row, rows.slice(index + 1), false)
    }
    return rows
  }

  /** Undefined where a record needs the field. */
  #absent(entity: string, { isKey, nullable, type, default: given, isNumbered }: WrittenField): unknown {
    if (isKey) return this.#nextInstance()
    if (isNumbered === true) {
      const number = (this.#numbers.get(entity) ?? lastNumber) + 1
      this.#numbers.set(entity, number)
      return number
    }
    switch (given?.value.kind) {
      case 'literal':
        return given.value.json
      case 'now':
        return type === 'Date' ? now.slice(0, 10) : now
      case 'uuid':
        this.#uuids += 1
        return madeUuid(this.#uuids)
      default:
        return nullable ? null : undefined
    }
  }

  #nextInstance(): string {
    this.#instances += 1
    return madeInstance(this.#instances)
  }

  /** References of new rows lead to rows that are there, or made with them, and unique values are not taken. */
  #checkNew(
    name: string,
    { name: field, refersTo, unique }: WrittenField,
    rows: readonly PlainRow[],
    pointers: readonly string[],
    found: Found,
  ): void {
    const taken = new Set(this.#rows(name).map((row) => row[field] ?? null))
    for (const [index, row] of rows.entries()) {
      const value = row[field] ?? null
      if (value === null) continue
      const pointer = `${pointers[index]}/${field}`
      if (refersTo !== undefined) {
        const others = [...this.#rows(refersTo.entity), ...(refersTo.entity === name ? rows : [])]
        if (!others.some((other) => other[refersTo.field] === value)) found.invalid(pointer)
      }
      if (unique && taken.has(value)) found.taken(pointer)
      taken.add(value)
    }
  }

  /** References of several fields, of which the database fills none, lead to rows that are there, or written with them. */
  #checkReferences(
    name: string,
    {
      row,
      document,
      pointer,
    }: { readonly row: PlainRow; readonly document: Document; readonly pointer: string },
    written: readonly PlainRow[],
    found: Found,
    before?: PlainRow,
  ): void {
    for (const reference of this.#entity(name).references) {
      const { fields, entity } = reference
      const isSent = fields.some((field) => Object.hasOwn(document, field))
      const isKnown = fields.every((field) => before !== undefined || Object.hasOwn(document, field))
      const isNew = fields.some((field) => row[field] !== before?.[field])
      const isNull = fields.some((field) => (row[field] ?? null) === null)
      if (fields.length === 1 || !isSent || !isKnown || !isNew || isNull) continue
      const others = [...this.#rows(entity), ...(entity === name ? written : [])]
      if (others.some((other) => isReferredTo(other, row, reference))) continue
      for (const field of fields)
        if (Object.hasOwn(document, field) && row[field] !== before?.[field])
          found.invalid(`${pointer}/${field}`)
    }
  }

  /** Notes that a row refers to one that is not there by then, or is about to go. */
  #mayBeRefused(name: string, row: PlainRow, others: readonly PlainRow[], isByRecord: boolean): void {
    const refers = this.#entity(name).references.some(
      (reference) => reference.entity === name && others.some((other) => isReferredTo(other, row, reference)),
    )
    if (refers) this.refusable.push({ as: this.#current, isByRecord })
  }

  #change(name: string, row: PlainRow, document: Document): PlainRow {
    const { fields, isAdopted } = this.#entity(name)
    const found = new Found()
    const origin = isAdopted ? {} : { xid: origins.xid, xname: origins.xname }
    const next: Record<string, PlainValue> = { ...row, ...origin }
    for (const field of fields.values()) {
      if (!Object.hasOwn(document, field.name)) continue
      const before = jsonOf(field, row[field.name] ?? null)
      const sent = document[field.name]
      const json = isDeepStrictEqual(before, sent) ? sent : mergePatch(before, sent)
      if (isWrongType(field, json)) found.invalid(`/input/${field.name}`)
      else if (!isDeepStrictEqual(jsonOf(field, shownOf(field, json)), before)) {
        if (field.immutable || isWrong(field, json)) found.invalid(`/input/${field.name}`)
        else next[field.name] = shownOf(field, json)
      }
    }
    this.#checkChanged(name, row, next, found)
    this.#checkReferences(name, { row: next, document, pointer: '/input' }, [next], found, row)
    found.throwIfAny()
    for (const one of [row, next]) this.#mayBeRefused(name, one, [row, next], true)
    this.#replaceRows(
      name,
      this.#rows(name).map((one) => (this.#isSame(name, one, row) ? next : one)),
    )
    this.#checkTogether(name, [next], true)
    return next
  }

  #checkChanged(name: string, row: PlainRow, next: PlainRow, found: Found): void {
    for (const { name: field, refersTo, unique } of this.#entity(name).fields.values()) {
      const value = next[field] ?? null
      if (value === null || value === row[field]) continue
      const isThere = (entity: string, column: string) =>
        this.#rows(entity).some((other) => other[column] === value) ||
        (entity === name && next[column] === value)
      if (refersTo !== undefined && !isThere(refersTo.entity, refersTo.field))
        found.invalid(`/input/${field}`)
      const others = this.#rows(name).filter((other) => !this.#isSame(name, other, row))
      if (unique && others.some((other) => other[field] === value)) found.taken(`/input/${field}`)
    }
  }

  #remove(name: string, row: PlainRow): void {
    const rows = this.#rows(name).filter((one) => !this.#isSame(name, one, row))
    this.#replaceRows(name, rows)
    this.#checkTogether(name, [])
  }

  /**
   * What only the database checks, when rows have been written: keys and references of several fields, and that no row
   * is left behind that others refer to. It tells one of several mistakes.
   */
  #checkTogether(name: string, written: readonly PlainRow[], isChange = false): void {
    const codes: string[] = []
    const isTaken = this.#entity(name).uniqueKeys.some((key) => {
      const values = this.#rows(name)
        .map((row) => key.map((field) => row[field] ?? null))
        .filter((row) => !row.includes(null))
      return new Set(values.map((row) => JSON.stringify(row))).size < values.length
    })
    if (isTaken) codes.push('VALUE_NOT_UNIQUE')
    for (const entity of this.#world.entities.values()) {
      for (const row of this.#rows(entity.name)) {
        const lost = entity.references.filter((reference) => this.#isLost(row, reference))
        if (lost.length === 0) continue
        // References whose fields are known were checked before.
        const isNew = !isChange && written.includes(row) && lost.some(({ fields }) => fields.length > 1)
        codes.push(isNew ? 'RECORD_INVALID' : 'IN_USE')
      }
    }
    if (codes.length === 0) return
    throw new Mistakes(codes.join('|'), codes.every((code) => code === 'IN_USE') ? [] : undefined)
  }

  /** Whether a row refers to none. */
  #isLost(row: PlainRow, reference: WrittenReference): boolean {
    if (reference.fields.some((field) => (row[field] ?? null) === null)) return false
    return !this.#rows(reference.entity).some((other) => isReferredTo(other, row, reference))
  }
}

/** Whether a row refers to another one by a reference. */
function isReferredTo(other: PlainRow, row: PlainRow, { fields, others }: WrittenReference): boolean {
  return fields.every(
    (field, index) => (row[field] ?? null) !== null && row[field] === other[others[index] ?? ''],
  )
}

/** Nothing can refer to a record by a field that is null. */
function referable(row: PlainRow | undefined, field: string, pointer: string): PlainValue {
  const value = row?.[field] ?? null
  if (value === null) throw new Mistakes('RECORD_INVALID', [pointer])
  return value
}

/** Who sends a tag has seen the record. */
function missing(ifMatch: string | undefined): Mistakes {
  return new Mistakes(ifMatch === undefined ? 'RECORD_NOT_FOUND' : 'PRECONDITION_FAILED', [])
}

const now = timeOfMutations.toISOString().replace(/0*Z$/, '')

/** The mistakes of one call. */
class Found {
  readonly #invalid: string[] = []
  readonly #taken: string[] = []

  invalid(pointer: string): void {
    this.#invalid.push(pointer)
  }

  taken(pointer: string): void {
    this.#taken.push(pointer)
  }

  throwIfAny(): void {
    const pointers = [...this.#invalid, ...this.#taken]
    if (pointers.length > 0)
      throw new Mistakes(this.#invalid.length > 0 ? 'RECORD_INVALID' : 'VALUE_NOT_UNIQUE', pointers)
  }
}

function ofRecord<Result>(row: PlainRow, { address, isAdopted }: WrittenEntity, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Mistakes)) throw error
    const parts = address.map((field) => String(row[field]))
    throw new Mistakes(error.code, error.pointers, parts.map(isAdopted ? escaped : String).join(','))
  }
}

/** A value of a key as it is written in a path, in which keys of adopted tables are separated by commas. */
function escaped(text: string): string {
  if (text === '') return '~4'
  const signs = text.replaceAll(/[~,/\\]/g, (sign) => `~${'~,/\\'.indexOf(sign)}`)
  return signs.replace(/^\./, '~5')
}

/** The instances and identifiers that the gateway makes, one after the other; behind all that rows have. */
export const madeInstance = (count: number) => `n${String(count).padStart(4, '0')}`
/** The database numbers rows from the next one on. */
export const lastNumber = 1000
export const madeUuid = (count: number) => `uuid-${String(count).padStart(4, '0')}`

/** Whether a field does not take a value. */
function isWrong(field: WrittenField, json: unknown): boolean {
  if (isWrongType(field, json)) return true
  if (json === null) return false
  if (field.isKey) return !mayBeInPath(String(json))
  return field.allowed !== undefined && !field.allowed.includes(json)
}

function isWrongType({ type, nullable, isKey, isLong }: WrittenField, json: unknown): boolean {
  if (json === null) return !nullable || isKey
  switch (type) {
    case 'string':
      return Array.from(String(json)).length > 255 || String(json).includes('\u0000')
    case 'text':
      return String(json).includes('\u0000')
    case 'decimal':
      return !/^-?\d+(\.\d+)?$/.test(String(json))
    case 'integer':
      return isLong === true && !Number.isInteger(json)
    case 'DateTime':
      return !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/.test(String(json))
    case 'Date':
      return !/^\d{4}-\d\d-\d\d$/.test(String(json))
    case 'array':
      return !Array.isArray(json)
    case 'object':
      return typeof json !== 'object' || Array.isArray(json)
    default:
      return false
  }
}

/** An identifier is the last part of a path. */
function mayBeInPath(id: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a path does not hold them
  return id !== '' && !/[/\\\u0000-\u001f\u007f]/.test(id) && id !== '.' && id !== '..'
}

/** https://www.rfc-editor.org/rfc/rfc7396#section-2 */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = mergePatch(merged[key], value)
  }
  return merged
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
