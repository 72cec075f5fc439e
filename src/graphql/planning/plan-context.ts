import type { FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { type AspectName, aspects } from '../../query/argument.ts'
import { type Variables, valueAt } from '../../query/value-source.ts'
import type { GraphqlModel } from '../model/model.ts'
import type { Writes } from '../model/writes.ts'
import type { Dependencies } from './dependencies.ts'

/** Everything needed to plan one operation. */
export interface PlanContext {
  readonly schema: GraphQLSchema
  readonly model: GraphqlModel
  /** Present if the schema has mutations. */
  readonly writes?: Writes | undefined
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Variables
  /** Whether errors suggest no names, since the caller may not see the schema. */
  readonly hidesSchema: boolean
  /** What the plan depends on. */
  readonly dependencies: Dependencies
}

/** Evaluates an aspect of a variable and records that the plan depends on it. */
export function askVariable<Name extends AspectName>(
  context: PlanContext,
  path: readonly (string | number)[],
  aspect: Name,
): ReturnType<(typeof aspects)[Name]> {
  context.dependencies.add(path, aspect)
  return aspects[aspect](valueAt(context.variables, path)) as never
}
