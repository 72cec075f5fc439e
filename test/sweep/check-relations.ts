import type { EntityField, EntityType, Link } from '../../src/graphql/model/model.ts'
import type { SampledEntity } from './sampled-entity.ts'
import {
  listQuery,
  nodesOf,
  type ShownList,
  type ShownRow,
  type SweepContext,
  scalarSelection,
  show,
} from './sweep-context.ts'

const parents = 20
const children = 3

type Relation = Exclude<EntityField, { kind: 'scalar' }>

/** Every reference leads to the row it names, and every collection holds the rows that lead back. */
export async function checkRelations(context: SweepContext, sampled: SampledEntity): Promise<void> {
  for (const field of sampled.entity.fields.values()) {
    if (field.kind === 'scalar') continue
    const target = context.snapshot.model.entities.get(field.target)
    if (target === undefined) context.fail(sampled.entity, field.name, 'leads to no entity', '')
    else if (field.kind === 'reference') await checkReference(context, sampled.entity, field, target)
    else await checkCollection(context, sampled.entity, field, target)
  }
  await checkNodes(context, sampled)
}

async function checkReference(
  context: SweepContext,
  entity: EntityType,
  { name, link }: Relation,
  target: EntityType,
): Promise<void> {
  const what = `the reference ${name}`
  const request = {
    list: `first: ${parents}`,
    select: `edges { node { ${fieldsOf(entity, link.own)} ${name} { __typename ${scalarSelection(target)} } } }`,
  }
  const list = await context.list(entity, what, request)
  for (const row of nodesOf(list)) {
    const referenced = row[name] as ShownRow | null
    const key = valuesOf(row, entity, link.own)
    if (referenced === null) {
      if (!key.includes(null) && (await countOf(context, target, link.other, key)) !== 0)
        context.fail(entity, what, `null for ${show(key)}`, listQuery(entity, request))
    } else if (!isSameKey(key, valuesOf(referenced, target, link.other))) {
      context.fail(entity, what, `${show(referenced)} for ${show(key)}`, listQuery(entity, request))
    }
  }
}

async function checkCollection(
  context: SweepContext,
  entity: EntityType,
  { name, link }: Relation,
  target: EntityType,
): Promise<void> {
  const what = `the collection ${name}`
  const shown = scalarSelection(target)
  const request = {
    list: `first: ${parents}`,
    select: `edges { node { ${fieldsOf(entity, link.own)} all: ${name} { totalCount edges { node { ${shown} } } }
      start: ${name}(first: ${children}) { edges { node { ${shown} } } pageInfo { hasNextPage hasPreviousPage } }
      end: ${name}(last: ${children}) { edges { node { ${shown} } } pageInfo { hasNextPage hasPreviousPage } }
      cut: ${name}(offset: 1, limit: 1) { edges { node { ${shown} } } } } }`,
  }
  const query = listQuery(entity, request)
  const list = await context.list(entity, what, request)
  for (const row of nodesOf(list)) {
    const key = valuesOf(row, entity, link.own)
    const all = nodesOf(row.all as ShownList)
    const stranger = all.find((child) => !isSameKey(key, valuesOf(child, target, link.other)))
    if (stranger !== undefined) context.fail(entity, what, `${show(stranger)} below ${show(key)}`, query)
    const { totalCount } = row.all as ShownList
    const counted = key.includes(null) ? 0 : await countOf(context, target, link.other, key)
    // Keys that the database takes for equal and a filter does not: found by counting all spellings there are.
    const spellings = new Set(all.map((child) => show(valuesOf(child, target, link.other))))
    if (totalCount !== all.length || (counted !== undefined && spellings.size <= 1 && counted !== totalCount))
      context.fail(entity, what, `${all.length} rows, totalCount ${totalCount}, by filter ${counted}`, query)
    if (target.key.length > 0) checkPages(context, entity, { row, all, what, query })
  }
}

/** The small pages of a collection are parts of the whole one. */
function checkPages(
  context: SweepContext,
  entity: EntityType,
  { row, all, what, query }: { row: ShownRow; all: readonly ShownRow[]; what: string; query: string },
): void {
  const pageOf = (key: string) => {
    const { edges = [], pageInfo } = row[key] as ShownList
    return { rows: edges.map(({ node }) => node), pageInfo }
  }
  const more = all.length > children
  const expected = {
    start: { rows: all.slice(0, children), pageInfo: { hasNextPage: more, hasPreviousPage: false } },
    end: { rows: all.slice(-children), pageInfo: { hasNextPage: false, hasPreviousPage: more } },
    cut: { rows: all.slice(1, 2), pageInfo: undefined },
  }
  for (const [key, page] of Object.entries(expected)) {
    const found = pageOf(key)
    if (JSON.stringify(found) !== JSON.stringify(page))
      context.fail(entity, `${what}, ${key}`, `${show(found)}, not ${show(page)}`, query)
  }
}

async function countOf(
  context: SweepContext,
  entity: EntityType,
  columns: Link['own'],
  key: readonly unknown[],
): Promise<number | undefined> {
  const names = fieldNames(entity, columns)
  const conditions = names.map((name, index) => `{key: ${JSON.stringify(name)}, op: "==", val: $v${index}}`)
  const list = await context.list(entity, 'rows by a key', {
    declared: names.map((_, index) => `$v${index}: GenericScalar`).join(', '),
    list: `filters: [${conditions.join(', ')}]`,
    select: 'totalCount',
    variables: Object.fromEntries(key.map((value, index) => [`v${index}`, value])),
  })
  return list?.totalCount
}

/** Databases take more for equal than the same text: other case, other accents, blanks at the end. */
function isSameKey(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((value, index) => sameText(value) === sameText(b[index]))
}

function sameText(value: unknown): string {
  return String(value).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trimEnd()
}

function fieldNames({ filterable }: EntityType, columns: Link['own']): readonly string[] {
  return columns.flatMap((column) =>
    [...filterable.columns].filter(([, own]) => own.name === column.name).map(([name]) => name),
  )
}

const fieldsOf = (entity: EntityType, columns: Link['own']) => fieldNames(entity, columns).join(' ')

function valuesOf(row: ShownRow, entity: EntityType, columns: Link['own']): readonly unknown[] {
  return fieldNames(entity, columns).map((name) => row[name])
}

/** `node` and `customNode` find a row by its GlobalId, as the list shows it. */
async function checkNodes(context: SweepContext, { entity, rows }: SampledEntity): Promise<void> {
  if (entity.filterable.globalId === undefined) return
  const shown = `... on ${entity.filterable.globalId.typeName} { ${scalarSelection(entity)} }`
  for (const field of ['node', 'customNode']) {
    const query = `query ($id: ID!) { ${field}(GlobalId: $id) { ${shown} } }`
    for (const row of [...rows.slice(0, 5), ...rows.slice(-2)]) {
      const variables = { id: row.GlobalId }
      const data = await context.run<Record<string, ShownRow | null>>(entity, field, query, variables)
      if (data !== undefined && JSON.stringify(data[field]) !== JSON.stringify(row))
        context.fail(entity, field, `${show(data[field])}, not ${show(row)}`, query, variables)
    }
  }
}
