/** Literals of a document that would not be kept as they are written: the same ones are refused in JSON. */
import {
  type FieldNode,
  type GraphQLField,
  GraphQLFloat,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  Kind,
  typeFromAST,
  type ValueNode,
} from 'graphql'
import { depthLimit, readNumber } from '../../documents/json-rules.ts'
import { jsonPointer } from '../../documents/parse-document.ts'
import { AppError, type Mistake } from '../../errors/app-error.ts'
import { isGeneric } from '../schema/scalars.ts'
import type { PlanContext } from './plan-context.ts'

type Path = readonly (string | number)[]

/**
 * RECORD_INVALID, if what a field of `Mutation` writes has numbers that lose digits, or values that are nested too deeply: in the field, or
 * in the defaults of variables.
 */
export function unkeptLiterals(
  { args }: GraphQLField<unknown, unknown>,
  { arguments: given = [] }: FieldNode,
  { operation, schema }: Pick<PlanContext, 'operation' | 'schema'>,
): AppError | undefined {
  const types = new Map(args.map(({ name, type }) => [name, type]))
  const written = given.filter(({ name }) => name.value === 'input' || name.value === 'inputs')
  const mistakes = written.flatMap(({ name, value }) =>
    mistakesIn(value, types.get(name.value), [name.value]),
  )
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, typeNode)
    if (defaultValue === undefined || !isInputType(type)) continue
    for (const { pointer, detail } of mistakesIn(defaultValue, type, []))
      mistakes.push({ pointer: '', detail: `$${variable.name.value}${pointer}: ${detail}` })
  }
  return mistakes.length === 0 ? undefined : new AppError('RECORD_INVALID', { mistakes })
}

function mistakesIn(node: ValueNode, type: GraphQLInputType | undefined, path: Path): readonly Mistake[] {
  if (type === undefined) return []
  const nullable = getNullableType(type)
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT: {
      const named = getNamedType(type)
      return isGeneric(named) || named === GraphQLFloat ? mistakeOf(node.value, path) : []
    }
    case Kind.LIST: {
      const item = isListType(nullable) ? nullable.ofType : type
      return isDeep(path)
        ? [tooDeep(path)]
        : node.values.flatMap((one, index) => mistakesIn(one, item, [...path, index]))
    }
    case Kind.OBJECT: {
      const fields = isInputObjectType(nullable) ? nullable.getFields() : undefined
      if (isDeep(path)) return [tooDeep(path)]
      return node.fields.flatMap(({ name, value }) =>
        mistakesIn(value, fields === undefined ? type : fields[name.value]?.type, [...path, name.value]),
      )
    }
    default:
      return []
  }
}

function mistakeOf(source: string, path: Path): readonly Mistake[] {
  try {
    readNumber(source)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [{ pointer: jsonPointer(path), detail: error.message }]
  }
}

const isDeep = ({ length }: Path) => length > depthLimit

function tooDeep(path: Path): Mistake {
  return { pointer: jsonPointer(path), detail: `Values are nested deeper than ${depthLimit} levels.` }
}
