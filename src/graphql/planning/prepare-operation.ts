/**
 * Prepares a request: from its text to compiled statements, with two caches: documents by their text, and compiled
 * operations by how the variables affect their statements. Values are never part of a cache key. The generators yield
 * between steps, so that a large document does not keep other requests waiting.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  VariablesInAllowedPositionRule,
  validate,
} from 'graphql'
import type { Dialect } from '../../database/dialect.ts'
import { errorKinds } from '../../errors/errors.ts'
import type { Variables } from '../../query/value-source.ts'
import { GenerationalCache } from '../../util/generational-cache.ts'
import type { GraphqlRequest } from '../graphql-request.ts'
import type { GraphqlModel } from '../model/model.ts'
import type { Writes } from '../model/writes.ts'
import { findMergeConflict } from './check-merging.ts'
import { type CompiledOperation, compileOperation } from './compile-operation.ts'
import { Dependencies } from './dependencies.ts'
import { estimateCost } from './estimate-cost.ts'
import { VariablesFitRule } from './generic-variables.ts'
import { exceededLimits, exceededTextLimit, fieldsOf } from './measure-document.ts'
import { limitError, type OperationLimits } from './operation-limits.ts'
import { planOperation } from './plan-operation.ts'
import { type ReadVariables, variableReader } from './variable-reader.ts'

export interface PreparedOperation extends CompiledOperation {
  readonly variables: Variables
  /** What is written; undefined for a query. */
  readonly writes: Writes | undefined
}

/** A document that was parsed and validated, or the errors that prevent it from running. */
type ReadDocument = RunnableDocument | { readonly errors: readonly GraphQLError[] }

interface RunnableDocument {
  readonly document: DocumentNode
  /** The length of its text. */
  readonly length: number
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** How much memory it uses, approximately. */
  bytes: number
  /** The operations requested so far, by the requested name. */
  readonly operations: Map<string | undefined, ReadOperation>
  /** An error if it asks about the schema; known once someone who must not has sent it. */
  introspection?: readonly GraphQLError[]
}

/** An operation of a document. */
interface ReadOperation {
  /** Identifies its compiled forms; replaced when the cached forms become invalid. */
  number: number
  /** How many fields it selects, with fragments expanded. */
  readonly fields: number
  readonly operation: OperationDefinitionNode
  readonly readVariables: ReadVariables
  dependencies: Dependencies
}

interface KeptForm {
  readonly compiled: CompiledOperation
  /** Approximately. */
  readonly bytes: number
}

/** Longer texts are not cached, so that the size of the cache is bounded. */
const keptLength = 16_384
/** Approximate memory use in bytes, as measured: of a character of a parsed document, of a value in it and of a dependency, and of a compiled field. */
const bytesOf = { character: 150, writtenValue: 50, dependency: 10, field: 2000 }
const validationErrorLimit = 20
/** Names are suggested only for so many errors: each is compared with all names of the schema. */
const suggestionLimit = 3
/** The rules of the specification, but for those that are checked otherwise. */
const rules = [
  ...specifiedRules.filter(
    (rule) =>
      // It compares each pair of fields; `findMergeConflict` checks the same.
      rule !== OverlappingFieldsCanBeMergedRule && rule !== VariablesInAllowedPositionRule,
  ),
  VariablesFitRule,
]

/**
 * The errors of a request that could not start:
 * https://graphql.github.io/graphql-over-http/draft/#sec-application-graphql-response-json
 */
export class RequestErrors extends Error {
  readonly errors: readonly GraphQLError[]
  /** The operation is a mutation or subscription, which GET must not carry. */
  readonly isNoQuery: boolean

  constructor(errors: readonly GraphQLError[], isNoQuery = false) {
    super(errors[0]?.message ?? 'The request could not begin.')
    this.errors = errors
    this.isNoQuery = isNoQuery
  }
}

export interface PreparationSettings {
  readonly limits: OperationLimits
  /** How many rows of nested lists may be in memory at once. */
  readonly heldRows: number
  /** Approximate limit in bytes for cached parsed documents, and the same again for compiled ones. */
  readonly keptBytes: number
  /** What the mutations of the schema write; absent if it has none. */
  readonly writes?: Writes
}

/** Prepares operations for one schema; replaced with every schema, so that no plan outlives it. */
export class OperationPreparer {
  readonly #schema: GraphQLSchema
  readonly #model: GraphqlModel
  readonly #dialect: Dialect
  readonly #limits: OperationLimits
  readonly #heldRows: number
  readonly #writes: Writes | undefined
  readonly #documents: GenerationalCache<string, RunnableDocument>
  /** Compiled operations, by the number of the operation and how the variables affect it. */
  readonly #forms: GenerationalCache<string, KeptForm>
  #operations = 0

  constructor(
    schema: GraphQLSchema,
    model: GraphqlModel,
    dialect: Dialect,
    { limits, heldRows, keptBytes, writes }: PreparationSettings,
  ) {
    this.#writes = writes
    this.#schema = schema
    this.#model = model
    this.#dialect = dialect
    this.#limits = limits
    this.#heldRows = heldRows
    this.#documents = new GenerationalCache(keptBytes, ({ bytes }) => bytes)
    this.#forms = new GenerationalCache(keptBytes, ({ bytes }) => bytes)
  }

  /** Throws `RequestErrors` for a request that cannot start. */
  *prepare(request: GraphqlRequest): Generator<void, PreparedOperation, void> {
    const { operationName, variables: given, ruleVariables, hidesSchema = false, onlyReads } = request
    const document = yield* this.#read(request)
    if ('errors' in document) throw new RequestErrors(document.errors)
    if (hidesSchema) assertNoIntrospection(document, this.#schema)
    const read = this.#operation(operationName, document)
    const isMutation = read.operation.operation === 'mutation'
    if (isMutation && onlyReads === true) throw mutationByGet(read.operation)
    const { coerced: variables, errors } = read.readVariables(given, hidesSchema)
    if (variables === undefined)
      throw new RequestErrors(errors.map((error) => withCode(error, 'BAD_USER_INPUT')))
    const compiled = yield* this.#compile(read, document, { ...request, variables })
    const cost = estimateCost(compiled.roots, variables)
    if (cost > this.#limits.cost) throw new RequestErrors([limitError('cost', this.#limits.cost, cost)])
    return {
      variables: ruleVariables === undefined ? variables : { ...variables, ...ruleVariables },
      writes: isMutation ? this.#writes : undefined,
      ...compiled,
    }
  }

  *#read({ query, hidesSchema = false }: GraphqlRequest): Generator<void, ReadDocument, void> {
    const known = this.#documents.get(query)
    if (known !== undefined) return known
    const read = yield* readDocument(query, this.#schema, this.#limits, hidesSchema)
    if (query.length <= keptLength && !('errors' in read)) this.#documents.set(query, read)
    return read
  }

  #nextNumber(): number {
    this.#operations += 1
    return this.#operations
  }

  #operation(name: string | undefined, { document, operations }: RunnableDocument): ReadOperation {
    const known = operations.get(name)
    if (known !== undefined) return known
    const operation = assertSupported(operationNamed(name, document), this.#writes)
    const read = {
      number: this.#nextNumber(),
      fields: fieldsOf(document, operation),
      operation,
      readVariables: variableReader(this.#schema, operation.variableDefinitions ?? []),
      dependencies: new Dependencies(),
    }
    operations.set(name, read)
    return read
  }

  *#compile(
    read: ReadOperation,
    document: RunnableDocument,
    { query, variables, hidesSchema = false }: GraphqlRequest & { readonly variables: Variables },
  ): Generator<void, CompiledOperation, void> {
    const { operation, fields } = read
    const { fragments, length } = document
    const keyOf = (shape: string) => `${read.number} ${hidesSchema ? 'hidden ' : ''}${shape}`
    const known = this.#forms.get(keyOf(read.dependencies.shapeOf(variables)))
    if (known !== undefined) return known.compiled

    const found = new Dependencies()
    const context = {
      ...{ schema: this.#schema, model: this.#model, writes: this.#writes },
      ...{ operation, fragments, variables, hidesSchema, dependencies: found },
    }
    const plan = yield* planOperation(context)
    const compiled = yield* compileOperation(plan, this.#dialect, this.#heldRows)
    // Of a document that is not kept none is found again.
    if (length > keptLength) return compiled
    // No yield from here on: other requests may have found dependencies meanwhile.
    const dependencies = read.dependencies.with(found)
    if (dependencies === undefined) return compiled
    if (dependencies !== read.dependencies) {
      // Forms cached under fewer dependencies could be confused with others.
      read.number = this.#nextNumber()
      this.#documents.delete(query)
      document.bytes += (dependencies.length - read.dependencies.length) * bytesOf.dependency
      read.dependencies = dependencies
      this.#documents.set(query, document)
    }
    const shape = dependencies.shapeOf(variables)
    if (shape.length <= keptLength)
      this.#forms.set(keyOf(shape), { compiled, bytes: bytesOfForm(compiled, fields, length) })
    return compiled
  }
}

/** A form holds values of its document of `length` characters; with arguments of a mutation, or an error, it holds the document. */
function bytesOfForm({ roots }: CompiledOperation, fields: number, length: number): number {
  const holdsDocument = roots.some(({ plan }) => plan.kind === 'write' || plan.kind === 'failed')
  return (fields + 1) * bytesOf.field + length * (holdsDocument ? bytesOf.character : bytesOf.writtenValue)
}

function* validationErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  hidesSchema: boolean,
): Generator<void, readonly GraphQLError[], void> {
  const errors = validate(schema, document, rules, { maxErrors: validationErrorLimit, hideSuggestions: true })
  if (errors.length > suggestionLimit || hidesSchema) return errors
  if (errors.length > 0) return validate(schema, document, rules, { maxErrors: suggestionLimit })
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    yield
    const conflict = findMergeConflict(schema, definition, fragments)
    if (conflict !== undefined) return [conflict]
  }
  return []
}

function* readDocument(
  query: string,
  schema: GraphQLSchema,
  limits: OperationLimits,
  hidesSchema: boolean,
): Generator<void, ReadDocument, void> {
  const tooLong = exceededTextLimit(query, limits)
  if (tooLong !== undefined) return { errors: [tooLong] }
  let document: DocumentNode
  try {
    document = parse(query, { maxTokens: limits.tokens })
  } catch (error) {
    return { errors: [withCode(parseErrorOf(error), 'GRAPHQL_PARSE_FAILED')] }
  }
  yield
  const exceeded = exceededLimits(document, limits)
  if (exceeded.length > 0) return { errors: exceeded }
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  yield
  const errors = yield* validationErrors(schema, document, fragments, hidesSchema)
  if (errors.length > 0)
    return { errors: errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')) }
  const { length } = query
  return { document, length, bytes: (length + 20) * bytesOf.character, fragments, operations: new Map() }
}

/** Throws `RequestErrors` if any operation of a valid document asks about the schema. */
function assertNoIntrospection(read: RunnableDocument, schema: GraphQLSchema): void {
  read.introspection ??= validate(schema, read.document, [NoSchemaIntrospectionCustomRule], { maxErrors: 1 })
  const [found] = read.introspection
  if (found === undefined) return
  const { detail } = errorKinds.INTROSPECTION_DISABLED
  const error = new GraphQLError(detail, { nodes: found.nodes ?? null })
  throw new RequestErrors([withCode(error, 'INTROSPECTION_DISABLED')])
}

/** A document nested so deeply that the parser's stack overflows is a mistake of the client, too. */
function parseErrorOf(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error
  if (error instanceof RangeError) return new GraphQLError('Syntax Error: The document is nested too deeply.')
  throw error
}

function operationNamed(name: string | undefined, document: DocumentNode): OperationDefinitionNode {
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  )
  const named =
    name === undefined ? operations : operations.filter((operation) => operation.name?.value === name)
  const [operation] = named
  if (operation !== undefined && named.length === 1) return operation
  const message =
    operations.length === 0
      ? 'The document holds no operation.'
      : name === undefined
        ? 'The document holds several operations: "operationName" must say which one to run.'
        : `The document holds no operation named "${name}".`
  throw new RequestErrors([withCode(new GraphQLError(message), 'OPERATION_RESOLUTION_FAILURE')])
}

function assertSupported(
  operation: OperationDefinitionNode,
  writes: Writes | undefined,
): OperationDefinitionNode {
  const { operation: kind } = operation
  if (kind === 'query' || (kind === 'mutation' && writes !== undefined)) return operation
  const rest = kind === 'mutation' ? ', only queries' : ''
  throw notSupported(`The schema has no ${kind}s${rest}.`, operation)
}

function mutationByGet(operation: OperationDefinitionNode): RequestErrors {
  return notSupported('Send a mutation by POST: GET only reads.', operation)
}

function notSupported(message: string, operation: OperationDefinitionNode): RequestErrors {
  const error = new GraphQLError(message, { nodes: operation })
  return new RequestErrors([withCode(error, 'OPERATION_RESOLUTION_FAILURE')], true)
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  return new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    extensions: { code },
  })
}
