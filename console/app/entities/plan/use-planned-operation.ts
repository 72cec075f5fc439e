import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Refusal } from '../../../../browser/refusal.ts'
import { type Entity, entityQuery, forgetTables } from '../entity-queries.ts'
import { type EntityPlan, isSamePlan } from './plan.ts'
import type { ChangedEntity, PlannedOperation } from './planned-operation.ts'

/** The version of an entity that a change is based on. */
export interface Basis {
  readonly name: string
  /** When it was uploaded; null if there was no such entity. */
  readonly changedAt: string | null
}

/** A plan, and what was true when it was made. */
export interface MadePlan {
  readonly plan: EntityPlan
  readonly allowsLoss: boolean
  /** The entity that someone has uploaded since the change was begun. */
  readonly overwritten: Pick<Entity, 'name' | 'changed_by' | 'changed_at'> | undefined
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

  async function read(allowsLoss: boolean): Promise<MadePlan> {
    const [plan, current] = await Promise.all([
      operation.plan(allowsLoss),
      basis === undefined ? undefined : readCurrent(basis.name),
    ])
    const isOverwritten = current !== undefined && current.changed_at !== basis?.changedAt
    return { plan, allowsLoss, overwritten: isOverwritten ? current : undefined }
  }

  async function readCurrent(name: string): Promise<Entity | undefined> {
    try {
      return await client.fetchQuery({ ...entityQuery(name), staleTime: 0 })
    } catch (error) {
      // There is none, or it may not be read: then only the plan is compared.
      if (error instanceof Refusal && [401, 403, 404].includes(error.status)) return undefined
      throw error
    }
  }

  const planning = useMutation({
    mutationFn: read,
    onSuccess(next) {
      setMade(next)
      setHasChanged(false)
    },
  })
  const applying = useMutation({
    async mutationFn({ plan, allowsLoss, overwritten }: MadePlan) {
      const now = await read(allowsLoss)
      const isSame = isSamePlan(now.plan, plan) && now.overwritten?.changed_at === overwritten?.changed_at
      if (!isSame) {
        setMade(now)
        setHasChanged(true)
        return undefined
      }
      setHasChanged(false)
      const done = await operation.apply(allowsLoss)
      await forgetTables(client)
      return done
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
