import type { Database } from '../../src/database/dialect.ts'
import { executeGraphql } from '../../src/graphql/execute-graphql.ts'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import {
  entityNamed,
  type ListQuery,
  type ObjectMember,
  type OpaqueTexts,
  type PlainData,
  type PlainEntity,
  type PlainRow,
  type RootQuery,
  type Selected,
} from './plain-evaluator.ts'
import { answerText } from './sample-database.ts'

type Listing = Pick<ListQuery, 'entity' | 'asc' | 'desc'>

/** Global ids and cursors as the product gives them in earlier answers. */
export class AnsweredTexts implements OpaqueTexts {
  readonly #data: PlainData
  readonly #snapshot: SchemaSnapshot
  readonly #database: Database
  readonly #globalIds = new Map<string, ReadonlyMap<string, string>>()
  readonly #cursors = new Map<string, ReadonlyMap<string, string>>()

  constructor(data: PlainData, snapshot: SchemaSnapshot, database: Database) {
    this.#data = data
    this.#snapshot = snapshot
    this.#database = database
  }

  globalIdOf(entity: PlainEntity, row: PlainRow): string {
    return known(this.#globalIds.get(entity.name)?.get(identity(entity, row)))
  }

  cursorOf(list: Listing, row: PlainRow): string {
    return known(
      this.#cursors.get(listingKey(list))?.get(identity(entityNamed(this.#data, list.entity), row)),
    )
  }

  /** Asks for the global ids of all rows. */
  async learnGlobalIds(): Promise<void> {
    for (const entity of this.#data.values()) {
      if (entity.key.length === 0) continue
      const edges = await this.#edges(entity, '', 'GlobalId')
      const ids = edges.map(({ node }) => [identity(entity, node), String(node.GlobalId)] as const)
      this.#globalIds.set(entity.name, new Map(ids))
    }
  }

  /** Asks for the cursors that a query gives or shows. */
  async learnCursors(roots: readonly RootQuery[]): Promise<void> {
    for (const list of listsOf(roots)) {
      const key = listingKey(list)
      if (this.#cursors.has(key)) continue
      const entity = entityNamed(this.#data, list.entity)
      const order = `(asc: ${JSON.stringify(list.asc)}, desc: ${JSON.stringify(list.desc)})`
      const edges = await this.#edges(entity, order, '')
      this.#cursors.set(key, new Map(edges.map(({ node, cursor }) => [identity(entity, node), cursor])))
    }
  }

  async #edges(
    entity: PlainEntity,
    list: string,
    fields: string,
  ): Promise<readonly { readonly cursor: string; readonly node: PlainRow }[]> {
    const identifying = identifyingFields(entity).join(' ')
    const query = `{ ${entity.name}${list} { edges { cursor node { ${identifying} ${fields} } } } }`
    const failures: unknown[] = []
    const request = { query, variables: {} }
    const whole = await executeGraphql(request, this.#snapshot, this.#database, {
      onFailure: (error) => failures.push(error),
    })
    const text = await answerText(whole)
    if (failures.length > 0) throw failures[0]
    const answer = JSON.parse(text) as {
      data?: Record<string, { edges: { cursor: string; node: PlainRow }[] } | null>
    }
    const found = answer.data?.[entity.name]
    if (found === undefined || found === null) throw new Error(`${query}: ${text}`)
    return found.edges
  }
}

function listsOf(roots: readonly RootQuery[]): readonly ListQuery[] {
  const lists: ListQuery[] = []
  const visit = (list: ListQuery): void => {
    lists.push(list)
    for (const member of list.select)
      if (member.kind === 'edges')
        for (const inner of member.select) if (inner.kind === 'node') visitObject(inner.select)
  }
  const visitObject = (select: readonly Selected<ObjectMember>[]): void => {
    for (const member of select) {
      if (member.kind === 'collection') visit(member.list)
      else if (member.kind === 'reference') visitObject(member.select)
    }
  }
  for (const root of roots) {
    if (root.kind === 'list') visit(root.list)
    else visitObject(root.node.select)
  }
  return lists
}

function listingKey({ entity, asc, desc }: Listing): string {
  return JSON.stringify([entity, asc, desc])
}

/** Rows without a key are told apart by all that they show. */
function identifyingFields({ key, columns }: PlainEntity): readonly string[] {
  return key.length > 0 ? key : [...columns.keys()]
}

function identity(entity: PlainEntity, row: PlainRow): string {
  return JSON.stringify(identifyingFields(entity).map((field) => row[field] ?? null))
}

function known(text: string | undefined): string {
  if (text === undefined) throw new Error('An earlier answer lacks a row')
  return text
}
