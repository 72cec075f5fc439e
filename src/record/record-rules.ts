/**
 * What an entity definition decides about the records of its table, beyond what the table itself enforces.
 * Made from the definition by `entity/publish/record-rules-of.ts`; obeyed by the published APIs.
 */
import type { Column, Table } from '../database/database-schema.ts'
import type { SqlValue } from '../database/driver.ts'
import { invariant } from '../errors/invariant.ts'

/** A value as a column holds it, or the sentence that says what is expected instead. */
export type Encoding = { readonly value: SqlValue } | { readonly refused: string }

/** A JSON Schema: https://json-schema.org/draft/2020-12/schema */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Between JSON and what a column holds. Neither direction knows null. */
export interface ValueCodec {
  /** Describes what `writeJson` gives; `encode` takes all of it. */
  readonly written: JsonSchema
  /** Describes what `encode` takes, where that is more. */
  readonly taken?: JsonSchema
  encode(json: unknown): Encoding
  /** The JSON text of a value that a column held. */
  writeJson(value: Exclude<SqlValue, null>): string
  /** The JSON value that the text of a query parameter stands for, where it is not that text itself. */
  readonly readParameter?: (text: string) => unknown
}

/** What a default may depend on. */
export interface DefaultContext {
  readonly now: Date
  readonly uuid: () => string
}

export interface FieldRule {
  readonly name: string
  /** Undefined for a field that is not kept in the table. */
  readonly column: Column | undefined
  /** Whether it would be kept, and its column is not in the table: somebody else took it away, or renamed it. */
  readonly isMissing?: boolean
  readonly codec: ValueCodec
  readonly nullable: boolean
  /** Whether only the database writes it. */
  readonly isReadOnly: boolean
  /** Whether the database gives a record that was sent without the field a value of its own. */
  readonly isFilled: boolean
  readonly immutable: boolean
  readonly unique: boolean
  /** The JSON value of a record that was sent without the field; undefined where there is no default. */
  readonly defaultOf: ((context: DefaultContext) => unknown) | undefined
  /** What `defaultOf` gives every record; undefined where it gives each its own. */
  readonly constantDefault: { readonly value: unknown } | undefined
  readonly allowed: AllowedValues | undefined
  readonly reference: Reference | undefined
}

/** The enum of a field. */
export interface AllowedValues {
  /** As the definition lists them. */
  readonly shown: readonly unknown[]
  /** As the column holds them. */
  readonly encoded: ReadonlySet<SqlValue>
}

/** The row that must exist for a value to be taken. */
export interface Reference {
  readonly table: Table
  readonly column: Column
}

export interface WriteRules {
  /** Names of the fields that together find a record, and are its address: always rules of `fields`, with columns. */
  readonly key: readonly string[]
  /** The columns beside the fields, which the gateway writes: all of `systemColumns`, or none where others made the table. */
  readonly systemColumns: readonly SystemColumn[]
  /** In the order of the definition, by name. */
  readonly fields: ReadonlyMap<string, FieldRule>
}

/** An entity with a published API. */
export interface PublishedEntity {
  readonly name: string
  /** The segment below `/apis/`. */
  readonly resource: string
  readonly table: Table
  readonly rules: WriteRules
}

/** Columns that the tables of entities have besides their fields; the gateway writes them. */
export const systemColumns = ['instance', 'xid', 'xname'] as const

export type SystemColumn = (typeof systemColumns)[number]

/** Whether others made the table, whose keys may hold what no part of a path may. */
export function isForeign({ rules }: Pick<PublishedEntity, 'rules'>): boolean {
  return rules.systemColumns.length === 0
}

/** The columns by which a change finds a row. */
export function rowKeyOf({ table, rules }: PublishedEntity): readonly Column[] {
  const names = rules.systemColumns.length > 0 ? ['instance'] : rules.key
  return names.map((name) => columnNamed(table, name))
}

/** The columns that find a record by its address. */
export function addressColumns({ table, rules }: PublishedEntity): readonly Column[] {
  return rules.key.map((name) => columnNamed(table, name))
}

function columnNamed({ columns }: Table, name: string): Column {
  const column = columns.get(name)
  invariant(column !== undefined, `a published entity has its column ${name}`)
  return column
}
