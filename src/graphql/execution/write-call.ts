/** One field of a mutation that is carried out for a caller. */
import type { Connection } from '../../database/driver.ts'
import type { Filter } from '../../query/filter.ts'
import type { RowKey } from '../../query/mutate-plan.ts'
import type { Variables } from '../../query/value-source.ts'
import type { WriteMethod } from '../../record/described-entity.ts'
import type { EnclosingTransaction } from '../../record/enclosing-transaction.ts'
import type { Origin, RecordParts } from '../../record/record-parts.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import type { EntityType, GraphqlModel } from '../model/model.ts'
import type { WriteKind } from '../model/naming.ts'
import type { EntityWrites, Writes } from '../model/writes.ts'

/** Stores the response of a mutation in its transaction. */
export type KeepAnswer = (connection: Connection, text: string) => Promise<void>

/** What a caller writes with. */
export interface CallerWriting {
  readonly parts: RecordParts
  /** Throws for headers that say it wrongly. */
  origin(): Origin
  /** The entity with the caller's rights to one call of its published API. Throws ROLE_NOT_ALLOWED. */
  allowedFor(method: WriteMethod, path: string, entity: PublishedEntity): PublishedEntity
  /**
   * Does the work of a mutation, or returns what it responded before; present if the request has a key. Work that throws may be
   * done again.
   */
  once?(work: (keep: KeepAnswer) => Promise<string>): Promise<string>
}

/** See the head of this file. */
export interface WriteCall {
  readonly kind: WriteKind
  readonly writes: EntityWrites
  /** What the caller may write of all entities. */
  readonly allWrites: Writes
  readonly type: EntityType
  readonly model: GraphqlModel
  /** By their names in GraphQL. */
  readonly args: Readonly<Record<string, unknown>>
  /** Selects the records, for `updateAll` and `deleteAll`. */
  readonly where: Filter | undefined
  readonly variables: Variables
  readonly writing: CallerWriting & {
    readonly parts: RecordParts & { readonly enclosing: EnclosingTransaction }
  }
  /** Throws ANSWER_TIMEOUT when the time of the request is over. */
  readonly assertInTime: () => void
  /** Reads what is selected of the rows with these keys, as they are now. */
  readonly read: (keys: readonly RowKey[]) => Promise<void>
}
