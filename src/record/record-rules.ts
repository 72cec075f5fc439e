/**
 * What an entity definition decides about the records of its table, beyond what the table itself enforces.
 * Made from the definition by `entity/publish/record-rules-of.ts`; enforced by the published APIs.
 */
import type { Column, Table } from '../database/database-schema.ts'
import type { SqlValue } from '../database/sql-value.ts'
import { invariant } from '../errors/invariant.ts'
import type { FilterableId } from '../query/filterable.ts'
import type { RecordRights } from './record-rights.ts'

/** A column value, or the sentence that says what is expected instead. */
export type Encoding = { readonly value: SqlValue } | { readonly refused: string }

/** A JSON Schema: https://json-schema.org/draft/2020-12/schema */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Converts between JSON and column values. Neither direction handles null. */
export interface ValueCodec {
  /** Describes the output of `writeJson`, all of which `encode` accepts. */
  readonly written: JsonSchema
  /** Describes the input of `encode`, if it accepts more. */
  readonly taken?: JsonSchema
  encode(json: unknown): Encoding
  /** The JSON text of a value that a column held. */
  writeJson(value: Exclude<SqlValue, null>): string
  /** The JSON value of a query parameter's text, if it is not that text itself. */
  readonly readParameter?: (text: string) => unknown
}

/** What a default may depend on. */
export interface DefaultContext {
  readonly now: Date
  readonly uuid: () => string
}

/** The default of a field, as its definition writes it. */
export type DefaultExpression =
  | { readonly kind: 'literal'; readonly value: unknown }
  /** The current time in UTC. */
  | { readonly kind: 'now' }
  /** A new random UUID. */
  | { readonly kind: 'uuid' }

export interface FieldRule {
  readonly name: string
  /** The type that the definition gives it. */
  readonly type: string
  /** Undefined for a field without a column. */
  readonly column: Column | undefined
  /** Whether its column is missing: another program dropped or renamed it. */
  readonly isMissing?: boolean
  readonly codec: ValueCodec
  readonly nullable: boolean
  /** Whether only the database writes it. */
  readonly isReadOnly: boolean
  /** Whether the database supplies a value if a record is sent without the field. */
  readonly isFilled: boolean
  readonly immutable: boolean
  readonly unique: boolean
  readonly default: DefaultExpression | undefined
  /** The JSON value if a record is sent without the field: the result of `default`; undefined if there is none. */
  readonly defaultOf: ((context: DefaultContext) => unknown) | undefined
  readonly allowed: AllowedValues | undefined
  /** The one of the rules' references that this field makes alone. */
  readonly reference: Reference | undefined
}

/** The enum of a field. */
interface AllowedValues {
  /** As the definition lists them. */
  readonly shown: readonly unknown[]
  /** As the column holds them. */
  readonly encoded: ReadonlySet<SqlValue>
}

/** The row that must exist for the values of some columns, unless one of them is null. */
export interface Reference {
  /** The names of the columns that refer; those of fields, unless the entity lacks some of them. */
  readonly names: readonly string[]
  /** Where they lead: to the row of a table with the same values in these columns. */
  readonly table: Table
  readonly columns: readonly Column[]
}

export interface WriteRules {
  /** Names of the fields that together identify a record and form its address: always rules of `fields`, with columns. */
  readonly key: readonly string[]
  /** The columns besides the fields, which the gateway writes: all of `systemColumns`, or none in an adopted table. */
  readonly systemColumns: readonly SystemColumn[]
  /** In the order of the definition, by name. */
  readonly fields: ReadonlyMap<string, FieldRule>
  /** Those of the definition, and the foreign keys of the table. */
  readonly references: readonly Reference[]
}

/** An entity with a published API. */
export interface PublishedEntity {
  readonly name: string
  /** The segment below `/apis/`. */
  readonly resource: string
  readonly table: Table
  readonly rules: WriteRules
  /** How its records are named across all tables; undefined if they are not. */
  readonly globalId: FilterableId | undefined
  /** What the caller of a request may do; undefined for everything. */
  readonly rights: RecordRights | undefined
  /** Where the references and collections of its records lead, for requests that may follow them. */
  readonly related?: Relations
}

/** The references and collections of an entity's records. */
export interface Relations {
  /** Those that the caller may follow. */
  names(): readonly string[]
  /** Where one leads, by its name. */
  follow(name: string): RelatedEntity | ForbiddenEntity | undefined
}

/** An entity whose list the caller may not read. */
interface ForbiddenEntity {
  readonly forbidden: Pick<PublishedEntity, 'name' | 'resource'>
}

/** The records of another entity that belong to one: those with the same values in `other` as it has in `own`. */
export interface RelatedEntity {
  readonly entity: PublishedEntity
  /** Whether there may be several for one record. */
  readonly isList: boolean
  readonly own: readonly Column[]
  readonly other: readonly Column[]
}

/** Columns of entity tables besides the fields; the gateway writes them. */
export const systemColumns = ['instance', 'xid', 'xname'] as const

export type SystemColumn = (typeof systemColumns)[number]

/** Whether the table is adopted: its keys may contain characters that a path cannot hold. */
export function isForeign({ rules }: Pick<PublishedEntity, 'rules'>): boolean {
  return rules.systemColumns.length === 0
}

/** Whether the gateway makes a value for a record that is sent without the field: it is its identifier. */
export function isMadeKey(
  { name, column, defaultOf }: FieldRule,
  { key, systemColumns }: WriteRules,
): boolean {
  return (
    key.includes(name) && defaultOf === undefined && systemColumns.length > 0 && column?.type === 'string'
  )
}

/** Whether a new record must be sent with a value for the field: nothing else gives it one. */
export function isNeeded(rule: FieldRule, rules: WriteRules): boolean {
  const { nullable, isFilled, defaultOf } = rule
  return !(nullable || isFilled || defaultOf !== undefined || isMadeKey(rule, rules))
}

/** The columns by which a change finds a row. */
export function rowKeyOf({ table, rules }: Pick<PublishedEntity, 'table' | 'rules'>): readonly Column[] {
  const names = rules.systemColumns.length > 0 ? ['instance'] : rules.key
  return names.map((name) => columnNamed(table, name))
}

/** The columns that identify a record by its address. */
export function addressColumns({ table, rules }: PublishedEntity): readonly Column[] {
  return rules.key.map((name) => columnNamed(table, name))
}

function columnNamed({ columns }: Table, name: string): Column {
  const column = columns.get(name)
  invariant(column !== undefined, `a published entity has its column ${name}`)
  return column
}
