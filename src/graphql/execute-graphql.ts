import { execute, type GraphQLError, Kind } from 'graphql'
import { appErrorOf } from '../database/app-error-of.ts'
import type { Database } from '../database/dialect.ts'
import type { Driver } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import type { BindingContext } from '../query/binding.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import type { CompiledRoot } from './operation/compile-operation.ts'
import { type PreparedOperation, RequestErrors } from './operation/prepare-operation.ts'
import { fieldError } from './response/graphql-error.ts'
import { type LoadedLevel, loadLevel } from './response/load-level.ts'
import { TextWriter } from './response/text-writer.ts'
import { writeConnection, writeObjectOfPage } from './response/write-response.ts'
import type { SchemaSnapshot } from './snapshot.ts'

/** An answer as JSON text. `began` is false when the request could not begin: then there is no `data`. */
export interface GraphqlAnswer {
  readonly began: boolean
  /** It did not begin because it is a mutation or subscription. */
  readonly isNoQuery?: boolean
  readonly text: string
}

/** What became of a root field: its rows, what the schema alone says, or an error. */
type RootResult = { readonly level?: LoadedLevel; readonly value?: unknown } | { readonly error: unknown }

/** The whole journey of one request. `onFailure` hears of errors that the client is not told about. */
export async function executeGraphql(
  request: GraphqlRequest,
  snapshot: SchemaSnapshot,
  database: Database,
  onFailure: (error: unknown) => void,
): Promise<GraphqlAnswer> {
  let operation: PreparedOperation
  try {
    operation = snapshot.operations.prepare(request)
  } catch (error) {
    if (error instanceof RequestErrors) {
      return { began: false, isNoQuery: error.isNoQuery, text: JSON.stringify({ errors: error.errors }) }
    }
    throw error
  }
  const results = await loadRoots(operation, snapshot, database)
  for (const result of results) {
    if ('error' in result && isFailure(result.error)) onFailure(result.error)
  }
  return { began: true, text: writeAnswer(operation.roots, results) }
}

/** Whether an error is more than a mistake in the request. */
function isFailure(error: unknown): boolean {
  const known = error instanceof AppError ? error : appErrorOf(error)
  return known === undefined || known.kind.status >= 500
}

async function loadRoots(
  operation: PreparedOperation,
  snapshot: SchemaSnapshot,
  { dialect, driver }: Database,
): Promise<readonly RootResult[]> {
  const context = { variables: operation.variables, syntax: dialect.syntax }
  const introspection = introspect(operation, snapshot)
  if (operation.roots.every((root) => root.level === undefined)) {
    return Promise.all(operation.roots.map((root) => loadRoot(root, introspection)))
  }
  return readAll(operation.roots, introspection, driver, context)
}

/** All root fields see one state of the data. */
async function readAll(
  roots: readonly CompiledRoot[],
  introspection: Readonly<Record<string, unknown>>,
  driver: Driver,
  context: BindingContext,
): Promise<readonly RootResult[]> {
  return driver.read((connection) =>
    Promise.all(
      roots.map(async (root) => {
        try {
          return root.level === undefined
            ? loadRoot(root, introspection)
            : { level: await loadLevel(connection, root.level, context) }
        } catch (error) {
          return { error }
        }
      }),
    ),
  )
}

function loadRoot({ plan }: CompiledRoot, introspection: Readonly<Record<string, unknown>>): RootResult {
  if (plan.kind === 'failed') return { error: plan.error }
  return plan.kind === 'introspection' ? { value: introspection[plan.key] } : {}
}

/** What is asked of the schema itself is answered by graphql-js. */
function introspect(
  { document, operation, variables, roots }: PreparedOperation,
  { graphqlSchema }: SchemaSnapshot,
): Readonly<Record<string, unknown>> {
  if (!roots.some(({ plan }) => plan.kind === 'introspection')) return {}
  const result = execute({
    schema: graphqlSchema,
    document: {
      ...document,
      definitions: [
        operation,
        ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION),
      ],
    },
    variableValues: variables,
  })
  return 'data' in result ? (result.data ?? {}) : {}
}

function writeAnswer(roots: readonly CompiledRoot[], results: readonly RootResult[]): string {
  const errors: GraphQLError[] = []
  const out = new TextWriter()
  out.write('{"data":{')
  roots.forEach((root, index) => {
    out.write(`${index === 0 ? '' : ','}"${root.plan.key}":`)
    const result = results[index] ?? {}
    if ('error' in result) {
      errors.push(fieldError(result.error, root.plan.key))
      out.write('null')
    } else {
      writeRoot(root, result, out)
    }
  })
  out.write(errors.length === 0 ? '}}' : `},"errors":${JSON.stringify(errors)}}`)
  return out.finish()
}

function writeRoot(
  { plan }: CompiledRoot,
  { level, value }: Extract<RootResult, { level?: unknown }>,
  out: TextWriter,
): void {
  const page = level?.pages[0]
  if (plan.kind === 'connection' && level && page) writeConnection(page, level, plan.connection, out)
  else if (plan.kind === 'node' && level) writeObjectOfPage(page, level, plan.object, out)
  else if (plan.kind === 'typeName') out.write(`"${plan.name}"`)
  else out.write(JSON.stringify(value ?? null))
}
