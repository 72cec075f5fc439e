/** Where the key of a condition leads: to a field, through references to other tables, or to related rows. */
import type { Field, Relation } from './tables.ts'

/** What of a table conditions may name. */
export interface FilterTable {
  readonly fields: readonly Field[]
  readonly references: readonly Relation[]
  readonly collections: readonly Relation[]
}

/** A name in a key, in the table where it belongs. */
export interface PathStep {
  readonly table: FilterTable
  /** What stands before it: '' or names of references, each with a dot behind it. */
  readonly before: string
  /** '' if it is still to be chosen. */
  readonly name: string
  /** The reference that leads to the table; absent in the first step. */
  readonly of?: string
}

export interface FilterPath {
  readonly steps: readonly PathStep[]
  /** The path that leads into the JSON of the field at the end; absent if the key has none. */
  readonly inside?: string
  /** The field at the end; absent if there is none that is known. */
  readonly field?: Field
  /** The relation at the end; absent if there is none. */
  readonly relation?: Relation
  /** The table that must be read to go on, and what of the key lies beyond it; absent if the path is complete. */
  readonly awaited?: { readonly table: string; readonly rest: string }
}

/** How many names a key may have. */
const mostNames = 8

/** Whether a step may lead to one more table. */
export function canGoOn({ before }: Pick<PathStep, 'before'>): boolean {
  return before.split('.').length < mostNames
}

/** The path of a key, as far as its tables are read. */
export function pathOf(
  table: FilterTable,
  key: string,
  tableNamed: (name: string) => FilterTable | undefined,
): FilterPath {
  const steps: PathStep[] = []
  let from: Pick<PathStep, 'table' | 'before' | 'of'> = { table, before: '' }
  for (let rest = key; ; ) {
    const { name, reference, further } = nextName(from.table, rest)
    if (reference === undefined) {
      const end = splitAtArrow(from.table, name)
      steps.push({ ...from, name: end.name })
      const inside = end.inside === undefined ? {} : { inside: end.inside }
      return { steps, ...inside, ...endOf(from.table, end.name) }
    }
    steps.push({ ...from, name })
    const next = tableNamed(reference.table)
    if (next === undefined) return { steps, awaited: { table: reference.table, rest: further } }
    from = { table: next, before: `${from.before}${name}.`, of: name }
    rest = further
  }
}

/** The first name of a path, with the reference that it leads through if there is more. */
function nextName({ fields, references }: FilterTable, path: string) {
  const isField = fields.some(({ name }) => name === path)
  const dot = isField ? -1 : (path.split('->', 1)[0] ?? '').indexOf('.')
  const reference = dot === -1 ? undefined : references.find(({ name }) => name === path.slice(0, dot))
  return reference === undefined
    ? { name: path, further: '' }
    : { name: reference.name, reference, further: path.slice(dot + 1) }
}

const arrow = '->'

/** The name of a field and the path inside its JSON. */
function splitAtArrow({ fields }: Pick<FilterTable, 'fields'>, end: string) {
  const place = fields.some(({ name }) => name === end) ? -1 : end.indexOf(arrow)
  return place === -1 ? { name: end } : { name: end.slice(0, place), inside: end.slice(place + arrow.length) }
}

/** The key with a path inside the JSON of its field; '' is the field as a whole. */
export function keyInside(key: string, path: string): string {
  const place = key.indexOf(arrow)
  const field = place === -1 ? key : key.slice(0, place)
  return path === '' ? field : field + arrow + path
}

/** Whether a key leads into JSON. */
export function isInside(key: string): boolean {
  return key.includes(arrow)
}

function endOf({ fields, references, collections }: FilterTable, end: string) {
  const field = fields.find(({ name }) => name === end)
  const relation = [...references, ...collections].find(({ name }) => name === end)
  return { ...(field === undefined ? {} : { field }), ...(relation === undefined ? {} : { relation }) }
}
