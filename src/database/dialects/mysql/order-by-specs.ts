import type { ForeignKey } from '../../database-schema.ts'
import type { TableSpec } from '../../table-spec.ts'

/** A table to create, with the references that can be created with it, and those that have to wait for other tables. */
export interface OrderedSpec {
  readonly spec: TableSpec
  readonly earlier: readonly ForeignKey[]
  readonly later: readonly ForeignKey[]
}

/** Tables in order, each with its references to earlier tables or to itself. */
export function orderBySpecs(specs: readonly TableSpec[]): readonly OrderedSpec[] {
  const waiting = new Set(specs.map(({ name }) => name))
  return specs.map((spec) => {
    waiting.delete(spec.name)
    const mustWait = ({ referencedTable }: ForeignKey) => waiting.has(referencedTable)
    return {
      spec,
      earlier: spec.foreignKeys.filter((key) => !mustWait(key)),
      later: spec.foreignKeys.filter(mustWait),
    }
  })
}
