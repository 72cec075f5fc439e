/** The JSON Schemas of an entity's records, by the rules that its API enforces. */
import type { SqlValue } from '../../database/sql-value.ts'
import { isReadable, isWritable } from '../../record/record-rights.ts'
import type {
  FieldRule,
  JsonSchema,
  PublishedEntity,
  SystemColumn,
  WriteRules,
} from '../../record/record-rules.ts'

/** By their names in the document; no entity's name contains a dot. */
export interface RecordSchemaNames {
  /** A record in a response. */
  readonly record: string
  /** What creates one. */
  readonly creation: string
  /** What replaces one. */
  readonly replacement: string
  /** What changes one. */
  readonly change: string
}

/** The names of an entity's schemas. */
export function schemaNamesOf({ name }: PublishedEntity): RecordSchemaNames {
  return {
    record: name,
    creation: `${name}.new`,
    replacement: `${name}.replacement`,
    change: `${name}.change`,
  }
}

/** The schemas of an entity, by name. */
export function recordSchemas(entity: PublishedEntity): Readonly<Record<string, JsonSchema>> {
  const names = schemaNamesOf(entity)
  const { rules, rights } = entity
  const stored = [...rules.fields.values()].filter(({ column }) => column !== undefined)
  const given = stored.filter(({ name }) => isReadable(rights, name))
  const fields = stored.filter(({ name }) => isReadable(rights, name) || isWritable(rights, name))
  const writable = fields.filter(({ name, isReadOnly }) => !isReadOnly && isWritable(rights, name))
  const sent = Object.fromEntries(fields.map((rule) => [rule.name, takenSchema(rule)]))
  const system = rules.systemColumns.filter((name) => isReadable(rights, name))
  const sentAgain = { ...systemSchemas(system, 'It may be sent as it was read.'), ...sent }
  const masks = rights?.read?.table.masks
  const answered = {
    ...systemSchemas(system, 'The gateway writes it.'),
    ...Object.fromEntries(
      given.map((rule) => [
        rule.name,
        writtenSchema(masks?.has(rule.name) ? { ...rule, nullable: true } : rule),
      ]),
    ),
  }
  const required = writable
    .filter((rule) => isRequired(rule) && !isMade(rule, rules) && isWritable(rights, rule.name, false))
    .map(({ name }) => name)
  const withDefaults = Object.fromEntries(writable.map((rule) => [rule.name, withDefault(rule, rules)]))
  const requiredToReplace = required.filter(
    (name) => !rules.key.includes(name) && rules.fields.get(name)?.immutable === false,
  )
  return {
    [names.record]: {
      type: 'object',
      properties: answered,
      required: Object.keys(answered),
    },
    [names.creation]: closed(withDefaults, required),
    [names.replacement]: {
      ...closed({ ...sentAgain, ...replaced(withDefaults, writable, rules.key, sent) }, requiredToReplace),
      description:
        'A field that is left out gets its default, or null; one that cannot be changed stays as it is.',
    },
    [names.change]: {
      ...closed(sentAgain, []),
      description: 'A JSON merge patch: only the fields that are sent are changed.',
    },
  }
}

function closed(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function isRequired({ nullable, defaultOf, isFilled }: FieldRule): boolean {
  return !nullable && defaultOf === undefined && !isFilled
}

/** Whether the gateway generates the value in a new record without it. */
function isMade({ name, column }: FieldRule, { key, systemColumns }: WriteRules): boolean {
  return systemColumns.length > 0 && key.includes(name) && column?.type === 'string'
}

function systemSchemas(names: readonly SystemColumn[], note: string): Readonly<Record<string, JsonSchema>> {
  const meanings: Readonly<Record<SystemColumn, string>> = {
    instance: 'The key of the row.',
    xid: 'The id of the request that wrote the record last.',
    xname: 'Who or what wrote the record last.',
  }
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: name === 'instance' ? 'string' : ['string', 'null'],
        readOnly: true,
        description: `${meanings[name]} ${note}`,
      },
    ]),
  )
}

/** A field in a response. */
function writtenSchema(rule: FieldRule): JsonSchema {
  const { codec, allowed, nullable } = rule
  const schema: JsonSchema =
    allowed === undefined
      ? codec.written
      : { ...codec.written, enum: [...allowed.encoded].map((value) => shownValue(value, rule)) }
  return described(nullable ? withNull(schema) : schema, rule)
}

/** A field in a request. */
function takenSchema(rule: FieldRule): JsonSchema {
  const { codec, allowed, nullable } = rule
  const { taken = codec.written } = codec
  const schema =
    allowed === undefined
      ? taken
      : {
          ...taken,
          enum: distinct([...allowed.shown, ...[...allowed.encoded].map((v) => shownValue(v, rule))]),
        }
  return described(nullable ? withNull(schema) : schema, rule)
}

function withDefault(rule: FieldRule, rules: WriteRules): JsonSchema {
  const schema = takenSchema(rule)
  if (rule.default?.kind === 'literal') return { ...schema, default: rule.default.value }
  if (rule.defaultOf !== undefined || isMade(rule, rules)) {
    return noted(schema, 'Generated by the gateway if it is left out.')
  }
  return rule.isFilled ? noted(schema, 'Generated by the database if it is left out.') : schema
}

/** An immutable field has no default in a replacement: it keeps its value. */
function replaced(
  withDefaults: Readonly<Record<string, JsonSchema>>,
  fields: readonly FieldRule[],
  key: readonly string[],
  sent: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    fields.map(({ name, immutable }) => {
      const schemas = key.includes(name) || immutable ? sent : withDefaults
      return [name, schemas[name] ?? {}]
    }),
  )
}

function described(schema: JsonSchema, rule: FieldRule): JsonSchema {
  const { immutable, unique, reference, isReadOnly } = rule
  if (isReadOnly) return noted({ ...schema, readOnly: true }, 'Only the database writes it.')
  const notes = [
    ...(immutable ? ['It cannot be changed after the record is created.'] : []),
    ...(unique ? ['No two records have the same value.'] : []),
    ...(reference === undefined ? [] : [`The ${reference.column.name} of a ${reference.table.id}.`]),
  ]
  const marked = immutable ? { ...schema, 'x-immutable': true } : schema
  return notes.length === 0 ? marked : noted(marked, notes.join(' '))
}

function noted(schema: JsonSchema, note: string): JsonSchema {
  const { description } = schema
  return { ...schema, description: description === undefined ? note : `${description} ${note}` }
}

function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  // Without a type it takes any value, including null.
  if (type === undefined) return schema
  return {
    ...schema,
    type: [...(Array.isArray(type) ? type : [type]), 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  }
}

function shownValue(value: SqlValue, { codec }: FieldRule): unknown {
  return value === null ? null : JSON.parse(codec.writeJson(value))
}

function distinct(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
