import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import { customNodeField, nodeField } from '../model/naming.ts'
import { collectFields, locationsOf, type SelectedField } from './collect-fields.ts'
import type { OperationPlan, RootContent, RootPlan } from './operation-plan.ts'
import { planConnection } from './plan-connection.ts'
import type { PlanContext } from './plan-context.ts'
import { planIntrospection } from './plan-introspection.ts'
import { planWrite } from './plan-mutation.ts'
import { planNode } from './plan-node.ts'
import { planObject } from './plan-object.ts'

/** Plans what a valid operation reads from the database or writes. A root field that cannot be planned fails alone. */
export function* planOperation(context: PlanContext): Generator<void, OperationPlan, void> {
  const root = context.operation.operation === 'mutation' ? 'Mutation' : 'Query'
  const selected = collectFields([context.operation.selectionSet], root, [], context)
  const roots: RootPlan[] = []
  for (const [key, fields] of selected) {
    yield
    roots.push(planRootOrFail(key, fields, context))
  }
  return { roots }
}

function planRootOrFail(key: string, fields: readonly SelectedField[], context: PlanContext): RootPlan {
  const locations = locationsOf(fields)
  try {
    const isMutation = context.operation.operation === 'mutation'
    return { key, locations, ...(isMutation ? planWrite : planRoot)(fields, context) }
  } catch (error) {
    if (error instanceof AppError) return { key, locations, kind: 'failed', error }
    throw error
  }
}

function planRoot(fields: readonly SelectedField[], context: PlanContext): RootContent {
  const name = fields[0]?.node.name.value ?? ''
  switch (name) {
    case '__typename':
      return { kind: 'typeName', name: 'Query' }
    case '__schema':
    case '__type':
      return { kind: 'introspection', field: planIntrospection(fields, context) }
    case nodeField:
      return planNode(fields, 'Node', context)
    case customNodeField:
      return planNode(fields, 'CustomNode', context)
  }
  const entity = context.model.entities.get(name)
  invariant(entity !== undefined, `${name} is a field of Query`)
  return { kind: 'connection', ...planConnection(fields, { entity }, planObject, context) }
}
