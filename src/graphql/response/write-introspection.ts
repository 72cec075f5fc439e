/** Writes the result of introspection, in time slices: for thousands of tables it is many megabytes. */
import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import type { ByteWriter } from '../../util/byte-writer.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import type { IntrospectionField, IntrospectionObject } from '../planning/plan-introspection.ts'
import type { ResponseOutput } from './response-output.ts'

/** Writes a root field. If a limit is reached, lists end early and `to.truncatedBy` has the error. */
export async function writeIntrospection(
  to: ResponseOutput,
  field: IntrospectionField,
  schema: GraphQLSchema,
): Promise<void> {
  const slices = new TimeSlices()
  const writer = new IntrospectionWriter(to, schema, slices)
  for (const _ of writer.write(field, undefined)) {
    await to.pause()
    await slices.next()
    to.truncatedBy ??= to.reached
  }
}

/** How many serialized objects are cached: the same types occur again and again. */
const rememberedObjects = 20_000

class IntrospectionWriter {
  readonly #to: ResponseOutput
  readonly #bytes: ByteWriter
  readonly #slices: TimeSlices
  /** The resolvers of introspection use nothing else of it. */
  readonly #info: GraphQLResolveInfo
  readonly #remembered = new Map<IntrospectionObject, Map<unknown, Buffer>>()
  #rememberedCount = 0

  constructor(to: ResponseOutput, schema: GraphQLSchema, slices: TimeSlices) {
    this.#to = to
    this.#bytes = to.bytes
    this.#slices = slices
    this.#info = { schema } as unknown as GraphQLResolveInfo
  }

  /** Writes the value of a field; yields so that other work can run. */
  *write(field: IntrospectionField, source: unknown): Generator<void, void, void> {
    const value = this.#resolve(field, source)
    const shape = field.value
    if (value === null || value === undefined) this.#bytes.write('null')
    else if (shape.kind === 'leaf') this.#writeLeaf(field, value)
    else if (field.isList) yield* this.#writeList(shape, value as Iterable<unknown>)
    else if (shape.isShort) this.#writeShort(shape, value)
    else yield* this.#writeObject(shape, value)
  }

  *#writeList(shape: IntrospectionObject, items: Iterable<unknown>): Generator<void, void, void> {
    const bytes = this.#bytes
    let separator = '['
    for (const item of items) {
      if (this.#slices.isOver || this.#to.isFull) yield
      if (this.#to.truncatedBy !== undefined) break
      bytes.write(separator)
      separator = ','
      if (shape.isShort) this.#writeShort(shape, item)
      else yield* this.#writeObject(shape, item)
    }
    bytes.write(separator === '[' ? '[]' : ']')
  }

  *#writeObject({ members }: IntrospectionObject, source: unknown): Generator<void, void, void> {
    let separator = '{'
    for (const member of members) {
      this.#bytes.write(`${separator}"${member.key}":`)
      separator = ','
      if (member.kind === 'typeName') this.#bytes.write(`"${member.name}"`)
      else yield* this.write(member, source)
    }
    this.#bytes.write(separator === '{' ? '{}' : '}')
  }

  #writeShort(shape: IntrospectionObject, source: unknown): void {
    const bytes = this.#bytes
    let ofShape = this.#remembered.get(shape)
    if (ofShape === undefined) {
      ofShape = new Map()
      this.#remembered.set(shape, ofShape)
    }
    const known = ofShape.get(source)
    if (known !== undefined) {
      bytes.copy(known, 0, known.length)
      return
    }
    const start = bytes.length
    let separator = '{'
    for (const member of shape.members) {
      bytes.write(`${separator}"${member.key}":`)
      separator = ','
      if (member.kind === 'typeName') bytes.write(`"${member.name}"`)
      else this.#writeShortField(member, source)
    }
    bytes.write(separator === '{' ? '{}' : '}')
    if (this.#rememberedCount >= rememberedObjects) return
    this.#rememberedCount += 1
    ofShape.set(source, Buffer.from(bytes.written().subarray(start)))
  }

  #writeShortField(field: IntrospectionField, source: unknown): void {
    const value = this.#resolve(field, source)
    if (value === null || value === undefined) this.#bytes.write('null')
    else if (field.value.kind === 'leaf') this.#writeLeaf(field, value)
    else this.#writeShort(field.value, value)
  }

  #writeLeaf({ value: shape, isList }: IntrospectionField, value: unknown): void {
    if (shape.kind !== 'leaf') return
    const shown = isList
      ? (value as readonly unknown[]).map((item) => shape.type.serialize(item))
      : shape.type.serialize(value)
    this.#bytes.write(JSON.stringify(shown))
  }

  #resolve({ field, arguments: given }: IntrospectionField, source: unknown): unknown {
    return field.resolve?.(source, given, undefined, this.#info)
  }
}
