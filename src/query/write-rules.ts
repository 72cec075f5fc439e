/**
 * What an entity definition decides about the records of its table, beyond what the table itself enforces.
 * Made from the definition by `entity/write-rules-of.ts`; obeyed by the published APIs.
 */
import type { Column, Table } from '../database/database-schema.ts'
import type { SqlValue } from '../database/driver.ts'

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
  readonly codec: ValueCodec
  readonly nullable: boolean
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
  /** Name of the field that finds a record: always a rule of `fields`, with a column. */
  readonly identifier: string
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

/** Columns that every entity's table has besides its fields; the gateway writes them. */
export const systemColumns = ['instance', 'xid', 'xname'] as const
