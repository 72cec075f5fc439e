/** The parameters of a list that `list-arguments.ts` reads from a query or a document. */
import { operators, quantifiers } from '../../query/filter.ts'
import { readableMembersOf } from '../../record/record-layout.ts'
import { isReadable } from '../../record/record-rights.ts'
import type { JsonSchema, PublishedEntity } from '../../record/record-rules.ts'
import { fieldsParameterOf } from '../fields/asked-fields.ts'
import { listParameters } from '../list-arguments.ts'

interface Parameter {
  readonly name: string
  readonly in: 'query'
  readonly description: string
  readonly schema: JsonSchema
  readonly style?: 'form'
  readonly explode?: boolean
}

const text: JsonSchema = { type: 'string' }

/** Every parameter of an entity's list: those of the list itself, and equality with each field. */
export function listParametersOf(entity: PublishedEntity): readonly Parameter[] {
  const { rules, rights, globalId } = entity
  const columns = [...rules.fields.values()].filter(
    ({ name, column }) => column !== undefined && isReadable(rights, name),
  )
  const system = rules.systemColumns.filter((name) => isReadable(rights, name))
  const names = [...system, ...columns.map(({ name }) => name)]
  const fields = columns.map(({ name, codec }) => [name, parameterSchema(codec.written)] as const)
  const id = globalId === undefined ? [] : [[globalId.name, text] as const]
  const equalities = [...system.map((name) => [name, text] as const), ...fields, ...id]
  const taken = new Set<string>(listParameters)
  return [
    filters(names),
    order('asc', 'Fields to sort by, smallest first.', names),
    order('desc', 'Fields to sort by, largest first.', names),
    size('offset', 'How many records to skip.'),
    size('limit', 'The largest number of records to return.'),
    size('first', 'The size of a page, from its start.'),
    cursor('after', 'The cursor before the page, from the header Link of the page before.'),
    size('last', 'The size of a page, from its end.'),
    cursor('before', 'The cursor behind the page.'),
    query(
      'count',
      { type: 'boolean', default: false },
      'Whether to count all records that match, in X-Total-Count.',
    ),
    fieldsParameter(entity),
    ...equalities
      .filter(([name]) => !taken.has(name))
      .map(([name, schema]) => ({
        ...query(name, { type: 'array', items: schema }, 'Any of these values.'),
        style: 'form' as const,
        explode: true,
      })),
  ]
}

/** The same parameters as the members of a document. */
export function listDocumentOf(entity: PublishedEntity): JsonSchema {
  const fields = fieldsParameterOf(entity)
  const own = new Set<string>([...listParameters, fields])
  const isNames = (name: string) => name === 'asc' || name === 'desc' || name === fields
  const members = listParametersOf(entity).map(({ name, description, schema }) => {
    const member = own.has(name) ? ownMember(name, schema, isNames(name)) : equalityMember(schema)
    return [name, { ...member, description }]
  })
  return { type: 'object', properties: Object.fromEntries(members), additionalProperties: false }
}

function ownMember(name: string, schema: JsonSchema, isNames: boolean): JsonSchema {
  if (name === 'filters') return { $ref: '#/components/schemas/gateway.Filters' }
  return isNames ? { anyOf: [schema.items, schema] } : schema
}

/** The parameter with the fields that a response shows: those that the caller may read, and paths that it may follow. */
export function fieldsParameter(entity: PublishedEntity): Parameter {
  const own = readableMembersOf(entity).map(({ column }) => column.name)
  const related = entity.related?.names() ?? []
  const names = { type: 'string', enum: [...own, ...related, '*'] }
  const paths = { type: 'string', pattern: `^(${related.join('|')})[.]` }
  const schema = {
    type: 'array',
    items: related.length === 0 ? names : { anyOf: [names, paths] },
    minItems: 1,
  }
  const follow =
    related.length === 0
      ? ''
      : ` \`${related[0]}\` is a related record or a list of them, \`${related[0]}.id\` one field of it.`
  const description = `The fields to show, in this order; all if it is left out. \`*\` is all fields.${follow}`
  const parameter = query(fieldsParameterOf(entity), schema, description)
  return { ...parameter, style: 'form', explode: false }
}

function equalityMember({ items }: JsonSchema): JsonSchema {
  const single = { anyOf: [items, { type: 'null' }] }
  return { anyOf: [...single.anyOf, { type: 'array', items: single }] }
}

/** The parameters in the address of such a call, which select a part of the list. */
export const placeParameters: readonly Parameter[] = [
  cursor('after', 'The cursor before the page, from the header Link of the page before.'),
  cursor('before', 'The cursor behind the page.'),
  size('offset', 'How many records to skip.'),
]

/** A parameter is text: lists and objects are compared by their stored text. */
function parameterSchema({ type, format }: JsonSchema): JsonSchema {
  if (type === undefined || type === 'array' || type === 'object') return text
  return { type, ...(format !== undefined && { format }) }
}

function query(name: string, schema: JsonSchema, description: string): Parameter {
  return { name, in: 'query', description, schema }
}

function size(name: string, description: string): Parameter {
  return query(name, { type: 'integer', minimum: 0 }, description)
}

function cursor(name: string, description: string): Parameter {
  return query(name, text, description)
}

function order(name: string, description: string, fields: readonly string[]): Parameter {
  const schema = { type: 'array', items: { type: 'string', enum: fields } }
  return { ...query(name, schema, description), style: 'form', explode: false }
}

function filters(fields: readonly string[]): Parameter {
  return query(
    'filters',
    {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { $ref: '#/components/schemas/gateway.Filters' },
      examples: [JSON.stringify([{ key: fields.at(-1), op: '!=', val: null }])],
    },
    'A composite filter as JSON: all of a list must hold, any of a list inside it, and so on by turns.',
  )
}

/** The schemas that the parameter `filters` refers to. */
export const filterSchemas: Readonly<Record<string, JsonSchema>> = {
  'gateway.Filters': {
    type: ['array', 'object'],
    items: { $ref: '#/components/schemas/gateway.FilterOrGroup' },
  },
  'gateway.FilterOrGroup': {
    anyOf: [
      {
        type: 'object',
        properties: {
          key: { type: 'string', description: 'A field, or a path through references: `tenant.name`.' },
          op: { type: 'string', enum: [...operators, ...quantifiers] },
          val: {
            description:
              'What it is compared with; for `some`, `every` and `none` a list of filters on the related records.',
          },
        },
        required: ['key', 'op', 'val'],
      },
      { type: 'array', items: { $ref: '#/components/schemas/gateway.FilterOrGroup' } },
    ],
  },
}
