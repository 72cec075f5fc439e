/** The JSON Schemas of an entity's records, by the rules that its API enforces. */
import type { SqlValue } from '../../database/sql-value.ts'
import type { DescribedEntity, WriteMethod } from '../../record/described-entity.ts'
import { isChosen, isKnown, isReadable, isSetBySome, type RecordRights } from '../../record/record-rights.ts'
import {
  type FieldRule,
  isMadeKey,
  isNeeded,
  type JsonSchema,
  type PublishedEntity,
  type SystemColumn,
  type WriteRules,
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
export function recordSchemas(entity: DescribedEntity): Readonly<Record<string, JsonSchema>> {
  const names = schemaNamesOf(entity)
  const { rules, rights } = entity
  const stored = [...rules.fields.values()].filter(({ column }) => column !== undefined)
  const given = stored.filter(({ name }) => isReadable(rights, name)).map((rule) => seen(rule, rights))
  const system = rules.systemColumns.filter((name) => isReadable(rights, name))
  const answered = {
    ...systemSchemas(system, 'The gateway writes it.'),
    ...schemasOf(given, writtenSchema),
  }
  const toCreate = writableWith(entity.rightsTo('POST'), stored, rules)
  return {
    [names.record]: {
      type: 'object',
      properties: answered,
      required: Object.keys(answered),
    },
    [names.creation]: closed(
      {
        ...schemasOf(toCreate.all, takenSchema),
        ...schemasOf(toCreate.set, setSchema),
        ...schemasOf(toCreate.chosen, (rule) => withDefault(rule, rules)),
      },
      toCreate.needed,
    ),
    [names.replacement]: replacementSchema(entity, stored, system),
    [names.change]: {
      ...closed(sentAgain(entity, 'PATCH', stored, system), []),
      description: 'A JSON merge patch: only the fields that are sent are changed.',
    },
  }
}

function replacementSchema(
  entity: DescribedEntity,
  stored: readonly FieldRule[],
  system: readonly SystemColumn[],
): JsonSchema {
  const { rules, rights } = entity
  const { chosen, needed } = writableWith(entity.rightsTo('PUT'), stored, rules)
  const replaced = chosen.filter(({ name, immutable }) => !(rules.key.includes(name) || immutable))
  // One that is seen as null on some records is kept there.
  const required = replaced.filter((rule) => needed.includes(rule) && !isMasked(rule, rights))
  const properties = {
    ...sentAgain(entity, 'PUT', stored, system),
    ...schemasOf(replaced, (rule) => withDefault(seen(rule, rights), rules)),
  }
  return {
    ...closed(properties, required),
    description:
      'A field that is left out gets its default, or null; one that cannot be changed stays as it is.',
  }
}

/** The fields of a document for a record that was read: those that cannot be written may be sent as they were. */
function sentAgain(
  entity: DescribedEntity,
  method: WriteMethod,
  stored: readonly FieldRule[],
  system: readonly SystemColumn[],
): Readonly<Record<string, JsonSchema>> {
  const { rules, rights } = entity
  const note = 'It may be sent as it was read.'
  const { set, chosen } = writableWith(entity.rightsTo(method), stored, rules)
  const known = stored.filter(({ name }) => isKnown(rights, name))
  const asRead = (rule: FieldRule) => noted({ ...takenSchema(seen(rule, rights)), readOnly: true }, note)
  return {
    ...systemSchemas(system, note),
    ...schemasOf(known, (rule) => (rule.isReadOnly ? takenSchema(rule) : asRead(rule))),
    ...schemasOf(set, setSchema),
    ...schemasOf(chosen, (rule) => takenSchema(seen(rule, rights))),
  }
}

/**
 * The fields that may be written: with a value of the caller's choice, which is needed if nothing else gives them one,
 * or with the one that its rights set, if the caller reads it.
 */
function writableWith(rights: RecordRights | undefined, stored: readonly FieldRule[], rules: WriteRules) {
  const isSetInSight = (name: string) => isSetBySome(rights, name) && isReadable(rights, name)
  const all = stored.filter(
    ({ name, isReadOnly }) => !isReadOnly && (isChosen(rights, name) || isSetInSight(name)),
  )
  const chosen = all.filter(({ name }) => isChosen(rights, name))
  const needed = chosen.filter((rule) => isNeeded(rule, rules) && !isSetBySome(rights, rule.name))
  return { all, chosen, needed, set: all.filter((rule) => !chosen.includes(rule)) }
}

function schemasOf(
  rules: readonly FieldRule[],
  schemaOf: (rule: FieldRule) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(rules.map((rule) => [rule.name, schemaOf(rule)]))
}

function isMasked({ name }: FieldRule, rights: RecordRights | undefined): boolean {
  return rights?.read?.table.masks.has(name) === true
}

/** A field that is given on some records only is null on the others. */
function seen(rule: FieldRule, rights: RecordRights | undefined): FieldRule {
  return isMasked(rule, rights) ? { ...rule, nullable: true } : rule
}

function setSchema(rule: FieldRule): JsonSchema {
  return noted(
    { ...takenSchema(rule), readOnly: true },
    'The rights of the account set it; no other value is accepted.',
  )
}

function closed(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly FieldRule[],
): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
    additionalProperties: false,
  }
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
  if (rule.defaultOf !== undefined || isMadeKey(rule, rules)) {
    return noted(schema, 'Generated by the gateway if it is left out.')
  }
  return rule.isFilled ? noted(schema, 'Generated by the database if it is left out.') : schema
}

function described(schema: JsonSchema, rule: FieldRule): JsonSchema {
  const { immutable, unique, reference, isReadOnly } = rule
  if (isReadOnly) return noted({ ...schema, readOnly: true }, 'Only the database writes it.')
  const notes = [
    ...(immutable ? ['It cannot be changed after the record is created.'] : []),
    ...(unique ? ['No two records have the same value.'] : []),
    ...(reference === undefined ? [] : [`The ${reference.columns[0]?.name} of a ${reference.table.id}.`]),
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
