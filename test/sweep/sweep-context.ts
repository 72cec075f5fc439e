import type { Database } from '../../src/database/dialect.ts'
import { executeGraphql } from '../../src/graphql/execute-graphql.ts'
import type { EntityType } from '../../src/graphql/model/model.ts'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { answerText } from '../support/sample-database.ts'

/** Something that is not as it should be, with the smallest query that shows it. */
export interface SweepFailure {
  readonly entity: string
  readonly what: string
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly found: string
}

/** What a sweep has looked at, and what was wrong. */
export interface SweepReport {
  readonly entities: number
  readonly queries: number
  readonly failures: readonly SweepFailure[]
}

/** A row as an answer shows it, by field name. */
export type ShownRow = Readonly<Record<string, unknown>>

/** A page of a list as the sweep asks for it. */
export interface ShownList {
  readonly totalCount?: number
  readonly edges?: readonly { readonly cursor?: string; readonly node: ShownRow }[]
  readonly pageInfo?: {
    readonly hasNextPage?: boolean
    readonly hasPreviousPage?: boolean
    readonly startCursor?: string | null
    readonly endCursor?: string | null
  }
}

type Variables = Readonly<Record<string, unknown>>

/** How many rows of a table are looked at. */
export const rowLimit = 1000

/** Runs the queries of a sweep and keeps what failed. */
export class SweepContext {
  readonly database: Database
  readonly snapshot: SchemaSnapshot
  readonly failures: SweepFailure[] = []
  queries = 0

  constructor(database: Database, snapshot: SchemaSnapshot) {
    this.database = database
    this.snapshot = snapshot
  }

  /** The data of a query; undefined, with a failure kept, where it has errors. */
  async run<Data>(
    entity: EntityType,
    what: string,
    query: string,
    variables: Variables = {},
  ): Promise<Data | undefined> {
    this.queries += 1
    const causes: unknown[] = []
    const answer = await executeGraphql({ query, variables }, this.snapshot, this.database, {
      onFailure: (error) => causes.push(error),
    })
    const { data, errors } = JSON.parse(await answerText(answer)) as {
      data?: Data
      errors?: readonly { readonly message: string }[]
    }
    if (errors === undefined) return data
    const messages = [...errors.map(({ message }) => message), ...causes.map(describe)]
    this.fail(entity, what, messages.join('; '), query, variables)
    return undefined
  }

  /** A root list of an entity; `list` are its arguments, with variables declared in `declared`. */
  async list(
    entity: EntityType,
    what: string,
    request: {
      readonly list?: string
      readonly select: string
      readonly declared?: string
      readonly variables?: Variables
    },
  ): Promise<ShownList | undefined> {
    const query = listQuery(entity, request)
    const data = await this.run<Record<string, ShownList>>(entity, what, query, request.variables)
    return data?.[entity.name]
  }

  fail(
    { name }: Pick<EntityType, 'name'>,
    what: string,
    found: string,
    query: string,
    variables: Variables = {},
  ): void {
    this.failures.push({ entity: name, what, query, variables, found })
  }
}

/** The text of a query for a root list. */
export function listQuery(
  { name }: EntityType,
  { list = '', select, declared = '' }: { list?: string; select: string; declared?: string },
): string {
  const header = declared === '' ? '' : `query (${declared}) `
  return `${header}{ ${name}${list === '' ? '' : `(${list})`} { ${select} } }`
}

/** An error and what it came from, in one line. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`
}

/** Everything that a row shows of itself. */
export function scalarSelection({ filterable }: EntityType): string {
  const names = [...filterable.columns.keys()]
  return [...names, ...(filterable.globalId === undefined ? [] : [filterable.globalId.name])].join(' ')
}

/** The nodes of a list. */
export function nodesOf(list: ShownList | undefined): readonly ShownRow[] {
  return (list?.edges ?? []).map(({ node }) => node)
}

/** A value in a message, shortened. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
