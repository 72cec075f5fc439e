import { tableKeyOf } from '../database/table-names.ts'
import { chosenNameOf, type NameKind, NameTargets } from '../graphql/model/chosen-names.ts'
import type { EntityField, EntityType } from '../graphql/model/model.ts'
import type { SchemaSnapshot } from '../graphql/snapshot.ts'

/** A name in GraphQL, what it names, and its origin. */
export interface ShownName {
  readonly kind: NameKind
  /** As people write it: `table`, `table.column`. */
  readonly of: string
  readonly name: string
  readonly by: 'rule' | 'command' | 'configuration'
}

/** All names of tables and fields. */
export function listNames({ model, databaseSchema }: SchemaSnapshot): readonly ShownName[] {
  const targets = new NameTargets(databaseSchema)
  const { entities, configured } = model
  const by = (isChosen: boolean | undefined, kind: NameKind, table: string, of: string) => {
    if (!isChosen) return 'rule'
    return chosenNameOf(configured, { kind, table, of }) === undefined ? 'command' : 'configuration'
  }
  const fieldName = ({ table }: EntityType, field: EntityField): ShownName => {
    const { name, isChosen } = field
    if (field.kind === 'scalar') {
      const { name: column } = field.column
      const of = targets.textOf('field', table, column)
      return { kind: 'field', of, name, by: by(isChosen, 'field', tableKeyOf(table), column) }
    }
    const { kind, relation, target } = field
    const referencing = kind === 'reference' ? table : (entities.get(target)?.table ?? table)
    const of = targets.textOf(kind, referencing, relation)
    return { kind, of, name, by: by(isChosen, kind, '', relation) }
  }
  return [...entities.values()].flatMap((entity) => {
    const { table, name, isChosen } = entity
    const of = targets.textOf('table', table, '')
    const own: ShownName = { kind: 'table', of, name, by: by(isChosen, 'table', tableKeyOf(table), '') }
    return [own, ...[...entity.fields.values()].map((field) => fieldName(entity, field))]
  })
}
