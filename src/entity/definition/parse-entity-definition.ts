/** Parses uploaded JSON, and collects all mistakes. */
import type * as v from 'valibot'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError, type Mistake } from '../../errors/app-error.ts'
import { checkAdopted } from '../adopt/check-adopted.ts'
import { checkField } from './check-field.ts'
import { parseDefaultExpression } from './default-expression.ts'
import {
  attributesShape,
  definitionShape,
  identifierShape,
  localFieldShape,
  refFieldShape,
} from './definition-shape.ts'
import type { EntityDefinition, EntityField } from './entity-definition.ts'

export interface DefinitionReading {
  /** What could be parsed, without invalid fields; undefined if nothing could. */
  readonly definition: EntityDefinition | undefined
  /** By JSON pointer into the definition. */
  readonly mistakes: readonly Mistake[]
}

/** Parses one definition. It is valid if there are no mistakes. */
export function parseEntityDefinition(json: unknown): DefinitionReading {
  const mistakes: Mistake[] = []
  const top = readPart(definitionShape, json, '', mistakes)
  if (!isObject(json)) return { definition: undefined, mistakes }
  const attributes = readPart(attributesShape, json.attributes, '/attributes', mistakes)
  const adopted = top?.adopted ?? undefined
  const fields = attributes === undefined ? [] : readFields(attributes, adopted !== undefined, mistakes)
  for (const field of fields) mistakes.push(...checkField(field))
  mistakes.push(...findTwins(fields))
  const identifier = fields.find(({ kind }) => kind === 'identifier')
  if (top === undefined) return { definition: undefined, mistakes }
  const { category, name, persistence, abstract, api_generation: apiGeneration } = top
  if (persistence && !abstract && identifier?.persistence === false) {
    const detail = 'The identifier of an entity with a table needs a column: leave this out, or send true.'
    mistakes.push({ pointer: `${identifier.pointer}/field_persistence`, detail })
  }
  const definition: EntityDefinition = {
    category,
    name,
    renamedFrom: top.renamed_from ?? undefined,
    resource: top.resource ?? undefined,
    persistence,
    abstract,
    apiGeneration,
    adopted: adopted && { leftOut: adopted.left_out, schema: adopted.schema, table: adopted.table },
    key: adopted?.key ?? (identifier === undefined ? [] : [identifier.name]),
    fields,
  }
  mistakes.push(...checkAdopted(definition))
  return { definition, mistakes }
}

/** Parses a part by its schema; adds mistakes to `mistakes`. */
function readPart<Schema extends v.GenericSchema>(
  schema: Schema,
  json: unknown,
  pointer: string,
  mistakes: Mistake[],
): v.InferOutput<Schema> | undefined {
  try {
    return parseDocument(schema, json)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    for (const mistake of error.mistakes) {
      mistakes.push({ ...mistake, pointer: pointer + mistake.pointer })
    }
    return undefined
  }
}

function readFields(
  attributes: v.InferOutput<typeof attributesShape>,
  isAdopted: boolean,
  mistakes: Mistake[],
): readonly EntityField[] {
  const identifierPointer = '/attributes/identifier'
  // The key of an adopted table need not be a single plain field.
  const isWithout = isAdopted && (attributes.identifier === undefined || attributes.identifier === null)
  const identifier = isWithout
    ? undefined
    : readPart(identifierShape, attributes.identifier, identifierPointer, mistakes)
  const locals = attributes.local_fields.map((json, index) => {
    const pointer = `/attributes/local_fields/${index}`
    const shape = readPart(localFieldShape, json, pointer, mistakes)
    return shape && localField(shape, pointer, mistakes)
  })
  const references = attributes.ref_fields.map((json, index) => {
    const pointer = `/attributes/ref_fields/${index}`
    const shape = readPart(refFieldShape, json, pointer, mistakes)
    return shape && refField(shape, pointer, mistakes)
  })
  return [identifier && identifierField(identifier, identifierPointer), ...locals, ...references].filter(
    (field) => field !== undefined,
  )
}

function identifierField(shape: v.InferOutput<typeof identifierShape>, pointer: string): EntityField {
  return {
    kind: 'identifier',
    pointer,
    name: shape.field_name,
    renamedFrom: shape.renamed_from ?? undefined,
    type: shape.field_type,
    persistence: shape.field_persistence,
    column: shape.field_column ?? undefined,
    nullable: true,
    immutable: shape.field_immutable,
    unique: true,
    default: undefined,
    enum: undefined,
    reference: undefined,
  }
}

function localField(
  shape: v.InferOutput<typeof localFieldShape>,
  pointer: string,
  mistakes: Mistake[],
): EntityField {
  return {
    ...commonOf(shape, pointer, mistakes),
    kind: 'local',
    enum: shape.field_enum ?? undefined,
    reference: undefined,
  }
}

function refField(
  shape: v.InferOutput<typeof refFieldShape>,
  pointer: string,
  mistakes: Mistake[],
): EntityField {
  return {
    ...commonOf(shape, pointer, mistakes),
    kind: 'reference',
    enum: undefined,
    reference: { entity: shape.ref_class, field: shape.ref_class_field },
  }
}

function commonOf(
  shape: Omit<v.InferOutput<typeof localFieldShape>, 'field_enum'>,
  pointer: string,
  mistakes: Mistake[],
): Omit<EntityField, 'kind' | 'enum' | 'reference'> {
  return {
    pointer,
    name: shape.field_name,
    renamedFrom: shape.renamed_from ?? undefined,
    type: shape.field_type,
    persistence: shape.field_persistence,
    column: shape.field_column ?? undefined,
    nullable: shape.field_nullable,
    immutable: shape.field_immutable,
    unique: shape.field_unique,
    default: readDefault(shape.field_default, `${pointer}/field_default`, mistakes),
  }
}

function readDefault(
  text: string | null | undefined,
  pointer: string,
  mistakes: Mistake[],
): EntityField['default'] {
  if (text === null || text === undefined) return undefined
  const reading = parseDefaultExpression(text)
  if ('expression' in reading) return reading.expression
  mistakes.push({ pointer, detail: reading.mistake })
  return undefined
}

/** Fields whose names are equal, or equal in a case-insensitive database. */
function findTwins(fields: readonly EntityField[]): readonly Mistake[] {
  const first = new Map<string, EntityField>()
  return fields.flatMap((field) => {
    const key = field.name.toLowerCase()
    const duplicate = first.get(key)
    if (duplicate === undefined) {
      first.set(key, field)
      return []
    }
    const detail =
      duplicate.name === field.name
        ? `There is a field "${field.name}" already, at ${duplicate.pointer}.`
        : `This differs from "${duplicate.name}", at ${duplicate.pointer}, only in case, which not every database tells apart.`
    return [{ pointer: `${field.pointer}/field_name`, detail }]
  })
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
