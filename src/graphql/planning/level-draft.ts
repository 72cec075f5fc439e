import type { Column } from '../../database/database-schema.ts'
import type { RelationPlan } from './operation-plan.ts'

/** Collects what the fields of one level need: each column once, and the levels below. */
export class LevelDraft {
  readonly columns: Column[] = []
  readonly relations: RelationPlan[] = []
  readonly #stored = new Map<Column, Column>()

  /** Where the column stands in the rows; asks for it when it is not yet asked for. */
  positionOf(column: Column): number {
    const known = this.columns.indexOf(column)
    return known === -1 ? this.columns.push(column) - 1 : known
  }

  /** The same for the column's values as they are stored, for cursors and GlobalIds. */
  storedPositionOf(column: Column): number {
    if (!column.storedApart) return this.positionOf(column)
    const stored = this.#stored.get(column) ?? { ...column, isStoredForm: true }
    this.#stored.set(column, stored)
    return this.positionOf(stored)
  }

  /** The relation's place among the level's relations. */
  addRelation(relation: RelationPlan): number {
    return this.relations.push(relation) - 1
  }
}
