/** Which mutations a caller has: those whose calls of published APIs it may make, and may make by GraphQL. */

import { isDeepStrictEqual } from 'node:util'
import { graphqlPath } from '../../access/authorization/authorize.ts'
import { partMethod } from '../../access/authorization/part-rights.ts'
import { type EntityWrites, fieldNames, type Writes, writtenFields } from '../../graphql/model/writes.ts'
import type { SchemaView } from '../../graphql/schema-view.ts'
import type { SchemaSnapshot } from '../../graphql/snapshot.ts'
import type { DescribedEntity } from '../../record/described-entity.ts'
import { isChosen, isSetBySome } from '../../record/record-rights.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import { allowing, allowingPart, allowingSomewhere, type RightsHolder, rolesOf } from './rights-holder.ts'
import type { RuleTables } from './rule-tables.ts'

/** What a caller may write of the entities. */
export interface GraphqlWrites {
  readonly byName: Writes
  /** The same for all callers with the same mutations. */
  readonly shape: string
  /** Views with these mutations, by the same without. */
  readonly views: WeakMap<SchemaView, SchemaView>
}

interface WritesContext {
  readonly snapshot: SchemaSnapshot
  readonly tables: RuleTables
  readonly describedFor: (holder: RightsHolder, entity: PublishedEntity) => DescribedEntity
}

/** Finds what was found before as long as nothing changes that it depends on. */
export class KnownWrites {
  readonly #known = new WeakMap<object, WeakMap<object, WeakMap<object, Known>>>()

  /** Without a promise for what is known, as nearly always. */
  of(
    holder: RightsHolder,
    snapshot: SchemaSnapshot,
    context: () => WritesContext,
  ): GraphqlWrites | Promise<GraphqlWrites> {
    const attributes = holder.caller?.attributes
    const ofSnapshot = inside(this.#known, snapshot, () => new WeakMap())
    const ofRoutes = inside(ofSnapshot, holder.publicRoutes ?? noRoutes, () => new WeakMap<object, Known>())
    const before = ofRoutes.get(rolesOf(holder))
    const isSame = before !== undefined && areSame(before.attributes, attributes)
    if (isSame) return before.writes
    return graphqlWrites(holder, context()).then((writes) => {
      ofRoutes.set(rolesOf(holder), { attributes, writes })
      return writes
    })
  }
}

interface Known {
  readonly attributes: object | undefined
  readonly writes: GraphqlWrites
}

const areSame = (one: object | undefined, other: object | undefined) =>
  one === other || isDeepStrictEqual(one, other)

const noRoutes = {}

function inside<Key extends object, Value>(map: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** In time slices. */
async function graphqlWrites(holder: RightsHolder, context: WritesContext): Promise<GraphqlWrites> {
  const byName = new Map<string, EntityWrites>()
  const shapes: unknown[] = []
  const slices = new TimeSlices()
  const mayPost = allowing(holder, partMethod, graphqlPath).length > 0
  for (const name of context.snapshot.entityNames) {
    if (slices.isOver) await slices.next()
    const entity = context.tables.publishedAs(name)
    // What a table without transactions keeps could not be undone with the rest.
    if (entity === undefined || entity.table.isPermanent) continue
    const parts = [name, ...context.tables.earlierNamesOf(name)]
    if (!mayPost && parts.every((part) => allowingPart(holder, part).length === 0)) continue
    const writes = entityWrites(name, entity, holder, context)
    if (writes.created.length + writes.changed.length === 0 && !writes.mayDelete) continue
    byName.set(name, writes)
    const named = (fields: EntityWrites['created']) => fields.map((field) => [field.name, field.mayBeSet])
    shapes.push([name, named(writes.created), named(writes.changed), writes.mayDelete])
  }
  return { byName, shape: JSON.stringify(shapes), views: new WeakMap() }
}

function entityWrites(
  name: string,
  entity: PublishedEntity,
  holder: RightsHolder,
  { snapshot: { model }, describedFor }: WritesContext,
): EntityWrites {
  const type = model.entities.get(name)
  const path = `/apis/${entity.resource}`
  const may = (method: string) => allowingSomewhere(holder, [method], path).length > 0
  const described = describedFor(holder, entity)
  const fieldsFor = (method: 'POST' | 'PATCH') => {
    if (type === undefined || !may(method)) return []
    const rights = described.rightsTo(method)
    return writtenFields(type, entity, {
      isChosen: (field) => isChosen(rights, field),
      mayBeSet: (field) => isSetBySome(rights, field),
    })
  }
  return {
    entity,
    names: type === undefined ? new Map() : fieldNames(type, entity),
    created: allowing(holder, 'POST', path).length > 0 ? fieldsFor('POST') : [],
    changed: fieldsFor('PATCH').filter(({ rule }) => !rule.immutable),
    mayDelete: may('DELETE'),
  }
}
