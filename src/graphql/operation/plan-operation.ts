import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import { customNodeField, nodeField } from '../model/naming.ts'
import { collectFields, type SelectedField } from './collect-fields.ts'
import type { OperationPlan, RootPlan } from './operation-plan.ts'
import { planConnection } from './plan-connection.ts'
import type { PlanContext } from './plan-context.ts'
import { planNode } from './plan-node.ts'
import { planObject } from './plan-object.ts'

/** From a valid operation to what it asks of the database. A root field that cannot be planned fails alone. */
export function planOperation(context: PlanContext): OperationPlan {
  const selected = collectFields([context.operation.selectionSet], 'Query', [], context)
  return { roots: [...selected].map(([key, fields]) => planRootOrFail(key, fields, context)) }
}

function planRootOrFail(key: string, fields: readonly SelectedField[], context: PlanContext): RootPlan {
  try {
    return planRoot(key, fields, context)
  } catch (error) {
    if (error instanceof AppError) return { key, kind: 'failed', error }
    throw error
  }
}

function planRoot(key: string, fields: readonly SelectedField[], context: PlanContext): RootPlan {
  const name = fields[0]?.node.name.value ?? ''
  switch (name) {
    case '__typename':
      return { key, kind: 'typeName', name: 'Query' }
    case '__schema':
    case '__type':
      return { key, kind: 'introspection' }
    case nodeField:
      return planNode(key, fields, 'Node', context)
    case customNodeField:
      return planNode(key, fields, 'CustomNode', context)
  }
  const entity = context.model.entities.get(name)
  invariant(entity !== undefined, `${name} is a field of Query`)
  return { key, kind: 'connection', ...planConnection(fields, { entity }, planObject, context) }
}
