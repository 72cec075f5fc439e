/** Changes of entities that have a plan: it is shown before they are made. */

import { dataOf, gateway } from '../../api/gateway.ts'
import type { components } from '../../api/gateway-api.d.ts'
import { quoted, type ShownCall } from '../../components/show-as.ts'
import { type Definition, textAt } from '../definition/definition.ts'
import type { EntityPlan } from './plan.ts'

/** An entity after the change. */
export interface ChangedEntity {
  readonly name: string
  /** The path of its published API; null if there is none. */
  readonly resource: string | null
}

/** A change that the gateway plans before it makes it. */
export interface PlannedOperation {
  /** The entities that it is about. */
  readonly names: readonly string[]
  /** Whether it needs a confirmation even if no row is lost. */
  readonly isRemoval: boolean
  plan(allowDestructive: boolean): Promise<EntityPlan>
  /** Carries out a plan, by its hash; gives the entities that are there afterwards. Refused with 412 if it is out of date. */
  apply(allowDestructive: boolean, plan: string): Promise<readonly ChangedEntity[]>
  /** The call of `apply`. */
  call(allowDestructive: boolean): ShownCall
  command(allowDestructive: boolean): string
  /** The document for `gatehouse apply`, which allows no loss. */
  readonly file: unknown
}

type Body = components['schemas']['EntityDefinition'] | components['schemas']['EntityDefinition'][]

const allowance = { allow_destructive: 'true' } as const
const dryRun = { dry_run: 'true' } as const

/** The upload of a definition, or of several. */
export function uploadOf(document: Definition | readonly Definition[]): PlannedOperation {
  const definitions = [document].flat() as readonly Definition[]
  const send = (query: {
    readonly dry_run?: 'true'
    readonly allow_destructive?: 'true'
    readonly plan?: string
  }) => dataOf(gateway.POST('/manage/entities', { params: { query }, body: document as Body }))
  return {
    names: definitions.map((definition) => textAt(definition, ['name'])),
    isRemoval: false,
    async plan(allowDestructive) {
      return (await send({ ...dryRun, ...(allowDestructive ? allowance : {}) })) as EntityPlan
    },
    async apply(allowDestructive, plan) {
      const stored = await send({ ...(allowDestructive ? allowance : {}), plan })
      return [stored].flat() as readonly ChangedEntity[]
    },
    call: (allowDestructive) => ({
      method: 'POST',
      path: `/manage/entities${allowDestructive ? '?allow_destructive=true' : ''}`,
      body: document,
    }),
    command: (allowDestructive) =>
      `gatehouse entity apply FILE${allowDestructive ? ' --allow_destructive' : ''}`,
    file: document,
  }
}

/** The deletion of an entity. */
export function removalOf(name: string): PlannedOperation {
  const path = { name }
  return {
    names: [name],
    isRemoval: true,
    async plan(allowDestructive) {
      const query = { ...dryRun, ...(allowDestructive ? allowance : {}) }
      const plan = await dataOf(gateway.DELETE('/manage/entities/{name}', { params: { path, query } }))
      return plan as EntityPlan
    },
    async apply(allowDestructive, plan) {
      const query = { ...(allowDestructive ? allowance : {}), plan }
      await dataOf(gateway.DELETE('/manage/entities/{name}', { params: { path, query } }))
      return []
    },
    call: (allowDestructive) => ({
      method: 'DELETE',
      path: `/manage/entities/${encodeURIComponent(name)}${allowDestructive ? '?allow_destructive=true' : ''}`,
    }),
    command: (allowDestructive) =>
      `gatehouse entity delete ${quoted(name)}${allowDestructive ? ' --allow_destructive' : ''}`,
    file: undefined,
  }
}
