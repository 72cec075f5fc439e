/** Variables without a value in the conditions of a write. A query leaves such a condition out; a write would change more rows. */
import { type FieldNode, Kind, type ValueNode } from 'graphql'
import { jsonPointer } from '../../documents/parse-document.ts'
import { AppError, type Mistake } from '../../errors/app-error.ts'
import { askVariable, type PlanContext } from './plan-context.ts'

/** Throws PARAMETER_INVALID with a mistake for each variable in the named argument that has neither a value nor a default. */
export function refuseAbsentVariables(field: FieldNode, argument: string, context: PlanContext): void {
  const value = field.arguments?.find(({ name }) => name.value === argument)?.value
  const mistakes = value === undefined ? [] : absentIn(value, [argument], context)
  if (mistakes.length > 0) throw new AppError('PARAMETER_INVALID', { mistakes })
}

function absentIn(
  node: ValueNode,
  path: readonly (string | number)[],
  context: PlanContext,
): readonly Mistake[] {
  switch (node.kind) {
    case Kind.VARIABLE: {
      const name = node.name.value
      if (askVariable(context, [name], 'kind') !== 'absent') return []
      const detail = `The variable $${name} was not given, and a write leaves no condition out. Give it a value, or null for records without one.`
      return [{ pointer: jsonPointer(path), detail }]
    }
    case Kind.LIST:
      return node.values.flatMap((item, index) => absentIn(item, [...path, index], context))
    case Kind.OBJECT:
      return node.fields.flatMap(({ name, value }) => absentIn(value, [...path, name.value], context))
    default:
      return []
  }
}
