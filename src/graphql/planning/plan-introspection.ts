/**
 * Plans introspection: https://spec.graphql.org/October2021/#sec-Schema-Introspection. The introspection types and
 * their resolvers are those of graphql-js.
 */
import {
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql'
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import { collectFields, type SelectedField, selectionSetsOf } from './collect-fields.ts'
import { argumentOf } from './document-argument.ts'
import type { PlanContext } from './plan-context.ts'

/** A field of the schema, or of something in it. */
export interface IntrospectionField {
  readonly kind: 'field'
  readonly key: string
  readonly field: GraphQLField<unknown, unknown>
  readonly arguments: Readonly<Record<string, unknown>>
  readonly isList: boolean
  readonly value: IntrospectionLeaf | IntrospectionObject
}

interface IntrospectionLeaf {
  readonly kind: 'leaf'
  readonly type: GraphQLLeafType
}

/** The selected fields of an object in the schema: a type, a field, an argument or a directive. */
export interface IntrospectionObject {
  readonly kind: 'object'
  readonly members: readonly (IntrospectionField | IntrospectionTypeName)[]
  /** Whether it is short because it contains no list of objects. */
  readonly isShort: boolean
}

interface IntrospectionTypeName {
  readonly kind: 'typeName'
  readonly key: string
  readonly name: string
}

/** Plans `__schema` or `__type`. */
export function planIntrospection(
  fields: readonly SelectedField[],
  context: PlanContext,
): IntrospectionField {
  const name = fields[0]?.node.name.value
  return planField(
    '',
    name === SchemaMetaFieldDef.name ? SchemaMetaFieldDef : TypeMetaFieldDef,
    fields,
    context,
  )
}

function planField(
  key: string,
  field: GraphQLField<unknown, unknown>,
  selected: readonly SelectedField[],
  context: PlanContext,
): IntrospectionField {
  const type = getNamedType(field.type)
  invariant(isLeafType(type) || isObjectType(type), 'introspection has no abstract types')
  return {
    kind: 'field',
    key,
    field,
    arguments: argumentsOf(field, selected, context),
    isList: isListType(getNullableType(field.type)),
    value: isLeafType(type) ? { kind: 'leaf', type } : planObject(type, selected, context),
  }
}

function planObject(
  type: GraphQLObjectType,
  selected: readonly SelectedField[],
  context: PlanContext,
): IntrospectionObject {
  const definitions = type.getFields()
  const collected = collectFields(selectionSetsOf(selected), type.name, [], context)
  const members = [...collected].map(([key, fields]): IntrospectionField | IntrospectionTypeName => {
    const name = fields[0]?.node.name.value ?? ''
    const definition = definitions[name]
    if (definition === undefined) return { kind: 'typeName', key, name: type.name }
    return planField(key, definition, fields, context)
  })
  const isShort = members.every(
    (member) =>
      member.kind === 'typeName' || member.value.kind === 'leaf' || (!member.isList && member.value.isShort),
  )
  return { kind: 'object', members, isShort }
}

function argumentsOf(
  { args }: GraphQLField<unknown, unknown>,
  [selected]: readonly SelectedField[],
  context: PlanContext,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const { name, type, defaultValue } of args) {
    const given = selected && argumentOf(selected.node, name, context).ask('value')
    const value = given === undefined ? defaultValue : given
    if (isNonNullType(type) && (value === undefined || value === null)) {
      throw new AppError('PARAMETER_INVALID', { detail: `"${name}" must not be null.` })
    }
    values[name] = value
  }
  return values
}
