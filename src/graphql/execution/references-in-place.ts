/** Inputs whose references are created or connected in place: `tenant: {create: {…}}`, `tenant: {connect: {id: "t1"}}`. */
import { NeedsResult } from '../../database/deferred-connection.ts'
import type { Row } from '../../database/sql-value.ts'
import { AppError, type Mistake, toldMistakes } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import { literalArgument } from '../../query/argument.ts'
import { columnValueOf } from '../../query/column-value.ts'
import type { Filter } from '../../query/filter.ts'
import type { Filterable } from '../../query/filterable.ts'
import { globalIdFilter } from '../../query/read-filters.ts'
import { createRecords } from '../../record/create-records.ts'
import { layoutOf } from '../../record/record-layout.ts'
import { selectMatching } from '../../record/select-rows.ts'
import type { EntityType } from '../model/model.ts'
import { globalIdField } from '../model/naming.ts'
import type { EntityWrites, WrittenField } from '../model/writes.ts'
import { keyFields, type WrittenReference, writtenReferences } from '../model/written-references.ts'
import { type Document, documentOf, inDocuments } from './input-documents.ts'
import type { WriteCall } from './write-call.ts'

/** Inputs of one entity, and where each of them stands in the arguments. */
export interface PlacedInputs {
  readonly inputs: readonly Input[]
  /** JSON pointers. */
  readonly pointers: readonly string[]
}

type Input = Readonly<Record<string, unknown>>

interface InputContext {
  readonly type: EntityType
  readonly writes: EntityWrites
  readonly written: readonly WrittenField[]
  readonly depth: number
  readonly call: WriteCall
}

/** How deep records may be created in each other. */
const deepest = 10

/** The documents of new records, or of a change; what they create in place is created before. */
export function documentsOf(
  placed: PlacedInputs,
  written: readonly WrittenField[],
  call: WriteCall,
): Promise<readonly Document[]> {
  return makeDocuments(placed, { type: call.type, writes: call.writes, written, depth: 1, call })
}

async function makeDocuments(placed: PlacedInputs, context: InputContext): Promise<readonly Document[]> {
  const { type, writes, written } = context
  const documents = placed.inputs.map((input) => documentOf(input, writes))
  for (const reference of writtenReferences(type, written)) {
    if (placed.inputs.every((input) => input[reference.name] === undefined)) continue
    const uses = placed.inputs.flatMap((input, index) => {
      const given = input[reference.name] as Input | null | undefined
      const document = documents[index]
      if (given === undefined || document === undefined) return []
      return [{ given, document, input, pointer: `${placed.pointers[index]}/${reference.name}` }]
    })
    // What they refer to is read before the record is written.
    if (context.call.writing.parts.enclosing.isDeferred) throw new NeedsResult()
    await forEachUse(uses, async (use) => requireOneWay(use, reference))
    await createAll(uses, reference, context)
    await connectAll(uses, reference, context)
    for (const { given, document } of uses) {
      if (given === null) for (const { field } of reference.parts) document[field.rule.name] = null
    }
  }
  return documents
}

/** A reference of an input, and the document that gets its fields. */
interface Use {
  readonly given: Input | null
  readonly document: Document
  readonly input: Input
  readonly pointer: string
}

/** Tells the mistakes of all uses together; those behind the last one that an error tells are not looked for. */
async function forEachUse(uses: readonly Use[], work: (use: Use) => Promise<void>): Promise<void> {
  const mistakes: Mistake[] = []
  for (const use of uses) {
    try {
      await work(use)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'RECORD_INVALID' || error.mistakes.length === 0)
        throw error
      mistakes.push(...error.mistakes)
      if (mistakes.length >= toldMistakes) break
    }
  }
  if (mistakes.length > 0) throw new AppError('RECORD_INVALID', { mistakes })
}

function requireOneWay({ given, input, pointer }: Use, { name, parts }: WrittenReference): void {
  const twice = parts.find(({ field }) => input[field.name] !== undefined)
  if (twice !== undefined) throw mistake(pointer, `Give either ${name} or ${twice.field.name}.`)
  if (given === null) return
  const ways = ['create', 'connect'].filter((way) => (given[way] ?? undefined) !== undefined)
  if (ways.length !== 1) throw mistake(pointer, 'Give either create or connect.')
}

async function createAll(
  uses: readonly Use[],
  { target, parts }: WrittenReference,
  { depth, call }: InputContext,
): Promise<void> {
  const creating = uses.filter(({ given }) => (given?.create ?? undefined) !== undefined)
  const [first] = creating
  if (first === undefined) return
  if (depth >= deepest)
    throw mistake(first.pointer, `Records are created in each other to a depth of ${deepest} at most.`)
  const [writes, type] = [call.allWrites.get(target), call.model.entities.get(target)]
  invariant(
    writes !== undefined && type !== undefined,
    'the schema has create only where there are mutations',
  )
  const placed = {
    inputs: creating.map(({ given }) => given?.create as Input),
    pointers: creating.map(({ pointer }) => `${pointer}/create`),
  }
  const documents = await makeDocuments(placed, {
    type,
    writes,
    written: writes.created,
    depth: depth + 1,
    call,
  })
  const { origin, parts: recordParts, allowedFor } = call.writing
  const allowed = allowedFor('POST', `/apis/${writes.entity.resource}`, writes.entity)
  const { positionOf } = layoutOf(allowed)
  const rows = await inDocuments(first.pointer, placed.pointers, writes.names, () =>
    createRecords(allowed, documents, origin(), recordParts, ({ rows }) => rows()),
  )
  for (const [index, { document }] of creating.entries()) {
    const row = rows[index] ?? []
    const values = parts.map(({ other }) => row[positionOf(other)] ?? null)
    refer(document, values, placed.pointers[index] ?? '', { target, parts })
  }
}

async function connectAll(
  uses: readonly Use[],
  { target, parts }: WrittenReference,
  { call }: InputContext,
): Promise<void> {
  const known = new Map<string, Row>()
  await forEachUse(uses, async ({ given, document, pointer }) => {
    const key = given?.connect as Input | null | undefined
    if (key === null || key === undefined) return
    call.assertInTime()
    const text = JSON.stringify(key)
    const place = `${pointer}/connect`
    const row = known.get(text) ?? (await rowNamed(key, place, { target, parts }, call))
    known.set(text, row)
    refer(document, row, place, { target, parts })
  })
}

/** Throws RECORD_INVALID for a record that nothing can refer to, instead of referring to none. */
function refer(
  document: Document,
  values: Row,
  pointer: string,
  { target, parts }: Pick<WrittenReference, 'target' | 'parts'>,
): void {
  for (const [index, { field, other }] of parts.entries()) {
    const value = values[index] ?? null
    if (value === null) {
      throw mistake(
        pointer,
        `This record of ${target} has no ${other.name}, by which it would be referred to.`,
      )
    }
    document[field.rule.name] = JSON.parse(field.rule.codec.writeJson(value)) as unknown
  }
}

/** The only row that the caller may read and that has all of these values. */
async function rowNamed(
  key: Input,
  pointer: string,
  { target, parts }: Pick<WrittenReference, 'target' | 'parts'>,
  { model, variables, writing: { parts: recordParts } }: WriteCall,
): Promise<Row> {
  const type = model.entities.get(target)
  invariant(type !== undefined, 'a reference leads to an entity of the schema')
  const { table, rights, filterable } = type
  const columns = keyFields(type)
  const filters: Filter[] = []
  for (const [name, value] of Object.entries(key)) {
    if (value === null || value === undefined) continue
    const column = columns.get(name)
    if (name === globalIdField && filterable.globalId !== undefined) {
      filters.push(connectedIdFilter(filterable.globalId, value, pointer))
    } else if (column !== undefined) {
      const held = columnValueOf(column, value)
      if (held === undefined) throw mistake(pointer, `There is no ${target} with such a ${name}.`)
      const source = { kind: 'literal', value: held, label: name } as const
      filters.push({ kind: 'compare', column, comparison: '==', value: source })
    }
  }
  if (filters.length === 0) {
    const names = [...columns.keys(), ...(filterable.globalId === undefined ? [] : [globalIdField])]
    throw mistake(pointer, `Name the ${target} by ${names.join(' or ')}.`)
  }
  const selection = {
    table,
    columns: parts.map(({ other }) => other),
    reader: rights && { rights, variables },
  }
  const { connection } = recordParts.enclosing
  const rows = await selectMatching(
    selection,
    { kind: 'and', filters },
    connection,
    recordParts.database.dialect,
  )
  const [row, ...others] = rows
  if (row === undefined) throw mistake(pointer, `There is no ${target} with this key.`)
  if (others.length > 0)
    throw mistake(pointer, `Several records of ${target} have this key. Give all of its fields.`)
  return row
}

function connectedIdFilter(
  globalId: NonNullable<Filterable['globalId']>,
  value: unknown,
  pointer: string,
): Filter {
  try {
    return globalIdFilter(globalId, literalArgument(value, globalIdField))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw mistake(`${pointer}/${globalIdField}`, 'Give a GlobalId as this API gave it.')
  }
}

function mistake(pointer: string, detail: string): AppError {
  return new AppError('RECORD_INVALID', { mistakes: [{ pointer, detail }] })
}
