/** The JSON Schemas of an entity's records, by the rules that its API enforces. */
import type { SqlValue } from '../../database/driver.ts'
import type {
  FieldRule,
  JsonSchema,
  PublishedEntity,
  SystemColumn,
  WriteRules,
} from '../../record/record-rules.ts'

/** By the names that they have in the document; no entity's name holds a dot. */
export interface RecordSchemaNames {
  /** A record as it is answered. */
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
  const { rules } = entity
  const fields = [...rules.fields.values()].filter(({ column }) => column !== undefined)
  const writable = fields.filter(({ isReadOnly }) => !isReadOnly)
  const sent = Object.fromEntries(fields.map((rule) => [rule.name, takenSchema(rule)]))
  const sentAgain = { ...systemSchemas(rules, 'It may be sent as it was read.'), ...sent }
  const answered = {
    ...systemSchemas(rules, 'The gateway writes it.'),
    ...Object.fromEntries(fields.map((rule) => [rule.name, writtenSchema(rule)])),
  }
  const required = writable.filter((rule) => isRequired(rule) && !isMade(rule, rules)).map(({ name }) => name)
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

/** Whether the gateway makes the value of a new record that was sent without it. */
function isMade({ name, column }: FieldRule, { key, systemColumns }: WriteRules): boolean {
  return systemColumns.length > 0 && key.includes(name) && column?.type === 'string'
}

function systemSchemas(rules: WriteRules, note: string): Readonly<Record<string, JsonSchema>> {
  const meanings: Readonly<Record<SystemColumn, string>> = {
    instance: 'The key of the row.',
    xid: 'The id of the request that wrote the record last.',
    xname: 'Who or what wrote the record last.',
  }
  return Object.fromEntries(
    rules.systemColumns.map((name) => [
      name,
      {
        type: name === 'instance' ? 'string' : ['string', 'null'],
        readOnly: true,
        description: `${meanings[name]} ${note}`,
      },
    ]),
  )
}

/** A field as it is answered. */
function writtenSchema(rule: FieldRule): JsonSchema {
  const { codec, allowed, nullable } = rule
  const schema: JsonSchema =
    allowed === undefined
      ? codec.written
      : { ...codec.written, enum: [...allowed.encoded].map((value) => shownValue(value, rule)) }
  return described(nullable ? withNull(schema) : schema, rule)
}

/** A field as it is sent. */
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
  if (rule.constantDefault !== undefined) return { ...schema, default: rule.constantDefault.value }
  if (rule.defaultOf !== undefined || isMade(rule, rules)) {
    return noted(schema, 'Made by the gateway where it is left out.')
  }
  return rule.isFilled ? noted(schema, 'Made by the database where it is left out.') : schema
}

/** What cannot be changed has no default in a replacement: it stays as it is. */
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
    ...(immutable ? ['It cannot be changed once the record is there.'] : []),
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
  // Without a type it takes any value, null too.
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
