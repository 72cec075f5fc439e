import type { FragmentDefinitionNode, OperationDefinitionNode } from 'graphql'
import { type AspectName, aspects } from '../../query/argument.ts'
import { type Variables, valueAt } from '../../query/value-source.ts'
import type { GraphqlModel } from '../model/model.ts'

/** A question about a variable whose answer decided something in a plan. */
export interface Dependency {
  readonly path: readonly (string | number)[]
  readonly aspect: AspectName
}

/** Everything that planning one operation needs. */
export interface PlanContext {
  readonly model: GraphqlModel
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Variables
  /** Collects what the plan depends on, by its own text. */
  readonly dependencies: Map<string, Dependency>
}

/** Answers a question about a variable and remembers that the plan depends on it. */
export function askVariable<Name extends AspectName>(
  context: PlanContext,
  path: readonly (string | number)[],
  aspect: Name,
): ReturnType<(typeof aspects)[Name]> {
  context.dependencies.set(JSON.stringify([path, aspect]), { path, aspect })
  return aspects[aspect](valueAt(context.variables, path)) as never
}

/** What these variables are to a plan: plans with the same dependencies and the same text are the same. */
export function shapeOf(dependencies: Iterable<Dependency>, variables: Variables): string {
  let shape = ''
  for (const { path, aspect } of dependencies)
    shape += `${textOf(aspects[aspect](valueAt(variables, path)) ?? null)},`
  return shape
}

function textOf(answer: unknown): string {
  if (typeof answer === 'boolean' || typeof answer === 'number' || answer === null) return String(answer)
  return JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}
