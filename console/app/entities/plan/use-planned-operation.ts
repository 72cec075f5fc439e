import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Refusal } from '../../../../browser/refusal.ts'
import { type EntitySummary, entityListQuery, entityQuery, forgetTables } from '../entity-queries.ts'
import type { EntityPlan } from './plan.ts'
import type { ChangedEntity, PlannedOperation } from './planned-operation.ts'

/** The version of an entity that a change is based on. */
export interface Basis {
  readonly name: string
  /** When it was uploaded; null if there was no such entity. */
  readonly changedAt: string | null
}

/** An entity as it is now. */
type CurrentEntity = Pick<EntitySummary, 'name' | 'changedAt' | 'changedBy'>

/** A plan, and what was true when it was made. */
export interface MadePlan {
  readonly plan: EntityPlan
  readonly allowsLoss: boolean
  /** The entity that someone has uploaded since the change was begun. */
  readonly overwritten: CurrentEntity | undefined
}

/** The course of a planned change. */
export interface PlanCourse {
  readonly made: MadePlan | undefined
  /** Whether applying found that the plan is no longer what was shown, and stopped. */
  readonly hasChanged: boolean
  /** What is there after the change; undefined before. */
  readonly done: readonly ChangedEntity[] | undefined
  readonly isPlanning: boolean
  readonly isApplying: boolean
  /** Why the last step failed. */
  readonly error: unknown
  readonly makePlan: (allowsLoss: boolean) => void
  readonly apply: () => void
}

/** Plans a change at once, and applies it if its plan is still the one that was shown. */
export function usePlannedOperation(operation: PlannedOperation, basis: Basis | undefined): PlanCourse {
  const client = useQueryClient()
  const [made, setMade] = useState<MadePlan>()
  const [hasChanged, setHasChanged] = useState(false)

  const read = (allowsLoss: boolean) => readPlan({ operation, basis, client }, allowsLoss)
  const planning = useMutation({
    mutationFn: read,
    onSuccess(next) {
      setMade(next)
      setHasChanged(false)
    },
  })
  const applying = useMutation({
    async mutationFn({ plan, allowsLoss }: MadePlan) {
      setHasChanged(false)
      try {
        const done = await operation.apply(allowsLoss, plan.hash)
        await forgetTables(client)
        return done
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 412)) throw error
        setMade(await read(allowsLoss))
        setHasChanged(true)
        return undefined
      }
    },
  })
  const { mutate: makePlan } = planning
  useEffect(() => makePlan(false), [makePlan])

  return {
    made,
    hasChanged,
    done: applying.data,
    isPlanning: planning.isPending,
    isApplying: applying.isPending,
    error: applying.error ?? planning.error ?? undefined,
    makePlan(allowsLoss) {
      applying.reset()
      makePlan(allowsLoss)
    },
    apply() {
      if (made !== undefined) applying.mutate(made)
    },
  }
}

interface PlanParts {
  readonly operation: PlannedOperation
  readonly basis: Basis | undefined
  readonly client: QueryClient
}

async function readPlan({ operation, basis, client }: PlanParts, allowsLoss: boolean): Promise<MadePlan> {
  const [plan, current] = await Promise.all([
    operation.plan(allowsLoss),
    basis === undefined ? undefined : readCurrent(basis, client),
  ])
  const isOverwritten = current !== undefined && current.changedAt !== basis?.changedAt
  return { plan, allowsLoss, overwritten: isOverwritten ? current : undefined }
}

/** Undefined if there is no such entity, or if it may not be read: then only plans are compared. */
async function readCurrent(
  { name, changedAt }: Basis,
  client: QueryClient,
): Promise<CurrentEntity | undefined> {
  try {
    if (changedAt === null) {
      const entities = await client.fetchQuery({ ...entityListQuery, staleTime: 0 })
      return entities.find((entity) => entity.name === name)
    }
    const entity = await client.fetchQuery({ ...entityQuery(name), staleTime: 0 })
    return { name, changedAt: entity.changed_at, changedBy: entity.changed_by }
  } catch (error) {
    if (error instanceof Refusal && [401, 403, 404].includes(error.status)) return undefined
    throw error
  }
}
