import type { FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { type AspectName, aspects } from '../../query/argument.ts'
import { type Variables, valueAt } from '../../query/value-source.ts'
import type { GraphqlModel } from '../model/model.ts'
import type { Writes } from '../model/writes.ts'

/** A question about a variable whose result affected a plan. */
export interface Dependency {
  readonly path: readonly (string | number)[]
  readonly aspect: AspectName
}

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
  /** What the plan depends on, by the text of the dependency. */
  readonly dependencies: Map<string, Dependency>
}

/** Evaluates an aspect of a variable and records that the plan depends on it. */
export function askVariable<Name extends AspectName>(
  context: PlanContext,
  path: readonly (string | number)[],
  aspect: Name,
): ReturnType<(typeof aspects)[Name]> {
  context.dependencies.set(JSON.stringify([path, aspect]), { path, aspect })
  return aspects[aspect](valueAt(context.variables, path)) as never
}

/** The variables as a plan sees them: equal texts for the same dependencies mean the same plan. */
export function shapeOf(dependencies: Iterable<Dependency>, variables: Variables): string {
  let shape = ''
  for (const { path, aspect } of dependencies)
    shape += `${textOf(aspects[aspect](valueAt(variables, path)) ?? null)},`
  return shape
}

function textOf(result: unknown): string {
  if (typeof result === 'boolean' || typeof result === 'number' || result === null) return String(result)
  return JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}
