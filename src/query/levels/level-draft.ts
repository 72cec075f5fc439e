import type { Column } from '../../database/database-schema.ts'
import type { RelationPlan } from './level-plan.ts'

/** Collects what the fields of one level need: each column once, and the levels below. */
export class LevelDraft {
  readonly columns: Column[] = []
  readonly relations: RelationPlan[] = []
  readonly #stored = new Map<Column, Column>()

  /** The position of the column in the rows; adds the column if it is new. */
  positionOf(column: Column): number {
    const known = this.columns.indexOf(column)
    return known === -1 ? this.columns.push(column) - 1 : known
  }

  /** The same for the column's stored values, for cursors and GlobalIds. */
  storedPositionOf(column: Column): number {
    if (!column.storedApart) return this.positionOf(column)
    const stored = this.#stored.get(column) ?? { ...column, isStoredForm: true }
    this.#stored.set(column, stored)
    return this.positionOf(stored)
  }

  /** The index of the relation among the level's relations. */
  addRelation(relation: RelationPlan): number {
    return this.relations.push(relation) - 1
  }
}
