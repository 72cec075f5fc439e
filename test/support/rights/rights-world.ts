/** Random entities that refer to each other, and their rows as GraphQL shows them. */
import type { ColumnType } from '../../../src/database/database-schema.ts'
import type { PlainRelation, PlainRow, PlainValue } from '../plain-evaluator.ts'
import type { Random } from '../random.ts'
import { definition, field, type Json, reference } from '../temporary-entities.ts'

/** A field of an entity, or a column that the gateway writes itself. */
export interface WorldColumn {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** Shown as true and false by published APIs. */
  readonly isFlag?: boolean
  readonly isSystem?: boolean
  readonly isUnique?: boolean
  readonly refersTo?: { readonly entity: string; readonly column: string }
}

export interface WorldEntity {
  readonly name: string
  readonly resource: string
  readonly columns: ReadonlyMap<string, WorldColumn>
  readonly relations: ReadonlyMap<string, PlainRelation>
}

export type World = ReadonlyMap<string, WorldEntity>
/** All rows of all entities, by the names of these. */
export type State = ReadonlyMap<string, readonly PlainRow[]>

const texts = ['a', 'b', 'B', 'é', '😀', 'a😀b', '', 'ß', 'ab%_']
const decimals = ['0', '1.5', '-2.25', '10', '100000000000000000000.5']
const day = 86_400_000

/** A value of a column that refers to nothing. */
export function randomValue({ name, type, isFlag }: WorldColumn, random: Random): PlainValue {
  if (name === 'code') return random.pick(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9'])
  if (isFlag) return random.below(2)
  if (type === 'integer') return random.below(7) - 3
  if (type === 'decimal') return random.pick(decimals)
  if (type === 'date') return new Date(Date.now() + (random.below(9) - 4) * day).toISOString().slice(0, 10)
  return random.pick(texts)
}

/** Three entities with random fields and references. */
export function randomWorld(random: Random): World {
  const system = ['instance', 'xid', 'xname'].map(
    (name): WorldColumn => ({ name, type: 'string', nullable: name !== 'instance', isSystem: true }),
  )
  const kinds: readonly WorldColumn[] = [
    { name: 'label', type: 'string', nullable: true },
    { name: 'size', type: 'integer', nullable: true },
    { name: 'flag', type: 'integer', nullable: true, isFlag: true },
    { name: 'since', type: 'date', nullable: true },
    { name: 'price', type: 'decimal', nullable: true },
  ]
  const columnsOf = (references: readonly WorldColumn[]) => {
    const local = kinds
      .filter(() => random.below(4) > 0)
      .map((column) => ({ ...column, nullable: random.below(4) > 0 }))
    const code: WorldColumn = { name: 'code', type: 'string', nullable: true, isUnique: true }
    const own: WorldColumn[] = [{ name: 'id', type: 'string', nullable: false, isUnique: true }, code]
    return new Map([...system, ...own, ...local, ...references].map((column) => [column.name, column]))
  }
  const refers = (
    name: string,
    entity: string,
    column = 'id',
    nullable = random.below(3) > 0,
  ): WorldColumn => ({
    name,
    type: 'string',
    nullable,
    refersTo: { entity, column },
  })
  const link = (target: string, own: string, other = 'id'): PlainRelation => ({
    kind: 'reference',
    target,
    own: [own],
    other: [other],
  })
  const back = (target: string, other: string, own = 'id'): PlainRelation => ({
    kind: 'collection',
    target,
    own: [own],
    other: [other],
  })
  const entities: readonly WorldEntity[] = [
    {
      name: 'Alpha',
      resource: 'alphas',
      columns: columnsOf([]),
      relations: new Map([
        ['betaCollection', back('Beta', 'alphaId')],
        ['gammaCollection', back('Gamma', 'ownerId')],
        ['gammaCollectionByOtherId', back('Gamma', 'otherId', 'code')],
      ]),
    },
    {
      name: 'Beta',
      resource: 'betas',
      columns: columnsOf([refers('alphaId', 'Alpha'), refers('parentId', 'Beta', 'id', true)]),
      relations: new Map([
        ['alpha', link('Alpha', 'alphaId')],
        ['beta', link('Beta', 'parentId')],
        ['betaCollection', back('Beta', 'parentId')],
        ['gammaCollection', back('Gamma', 'betaId')],
      ]),
    },
    {
      name: 'Gamma',
      resource: 'gammas',
      columns: columnsOf([
        refers('ownerId', 'Alpha', 'id', true),
        refers('otherId', 'Alpha', 'code', true),
        refers('betaId', 'Beta'),
      ]),
      relations: new Map([
        ['owner', link('Alpha', 'ownerId')],
        ['other', link('Alpha', 'otherId', 'code')],
        ['beta', link('Beta', 'betaId')],
      ]),
    },
  ]
  return new Map(entities.map((entity) => [entity.name, entity]))
}

/** The definitions to upload. */
export function definitionsOf(world: World): readonly Json[] {
  return [...world.values()].map(({ name, columns }) => {
    const fields = [...columns.values()].filter((column) => !column.isSystem && column.name !== 'id')
    const isLocal = (column: WorldColumn) => column.refersTo === undefined
    return definition(name, {
      local: fields.filter(isLocal).map((column) =>
        field(column.name, column.isFlag ? 'boolean' : column.type === 'date' ? 'Date' : column.type, {
          field_nullable: column.nullable,
          field_unique: column.isUnique === true,
        }),
      ),
      refs: fields.flatMap((column) =>
        column.refersTo === undefined
          ? []
          : [
              reference(column.name, column.refersTo.entity, column.refersTo.column, {
                field_nullable: column.nullable,
              }),
            ],
      ),
    })
  })
}

/** A value as published APIs show and take it. */
export function restValue({ isFlag }: WorldColumn, value: PlainValue): unknown {
  return isFlag && value !== null ? value === 1 : value
}

/** Some fields of a row as published APIs show them. */
export function restRecord(
  { columns }: WorldEntity,
  row: PlainRow,
  fields: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const shown = [...columns.values()].filter(({ name }) => fields.has(name))
  return Object.fromEntries(shown.map((column) => [column.name, restValue(column, row[column.name] ?? null)]))
}
