/** Which columns of a table are shown, in which order and how wide: chosen for each table, and kept in the browser. */
import { isJson } from './show-value.ts'
import type { Field, Relation, Table } from './tables.ts'

/** A column of a grid. */
export type GridColumn =
  | {
      readonly kind: 'field'
      readonly name: string
      readonly field: Field
      /** Where its value leads; absent if it is part of no foreign key. */
      readonly reference?: Relation
      readonly width: number
    }
  | {
      readonly kind: 'collection'
      readonly name: string
      readonly relation: Relation
      readonly width: number
    }

/** What was chosen for a table. */
export interface ColumnChoice {
  /** Names of columns, in order; those that it does not name follow. */
  readonly order: readonly string[]
  /** Whether a column is shown, by name, as far as that was chosen. */
  readonly shown: Readonly<Record<string, boolean>>
  /** In pixels, by name. */
  readonly widths: Readonly<Record<string, number>>
  /** How many rows a page has. */
  readonly size: number
}

/** Page sizes that can be chosen. */
export const pageSizes = [25, 50, 100, 200] as const

/** How many columns are shown before any is chosen. */
const defaultCount = 30

const defaultChoice: ColumnChoice = { order: [], shown: {}, widths: {}, size: 50 }

/** How wide a column may be, in pixels. */
export const columnWidths = { least: 60, most: 1200 }

/** The name of a column in the database, where GraphQL could not keep it: only that one says something, if it is Japanese. */
export function ownNameOf({ name, column }: Pick<Field, 'name' | 'column'>): string | undefined {
  return name === column ? undefined : column
}

/** All columns of a table with whether they are shown, in the chosen order. */
export function columnsOf(
  table: Pick<Table, 'fields' | 'references' | 'collections'>,
  { order, shown, widths }: ColumnChoice,
): readonly { readonly column: GridColumn; readonly isShown: boolean }[] {
  const first = new Set(table.fields.filter((field) => !isSystemField(field)).slice(0, defaultCount))
  const all = [
    ...table.fields.map((field) => ({
      column: fieldColumn(field, table.references, widths),
      isShown: first.has(field),
    })),
    ...table.collections.map((relation) => ({
      column: collectionColumn(relation, widths),
      isShown: false,
    })),
  ]
  const places = new Map(order.map((name, place) => [name, place]))
  const placeOf = (name: string) => places.get(name) ?? order.length
  return all
    .map(({ column, isShown }) => ({
      column,
      isShown: Object.hasOwn(shown, column.name) ? shown[column.name] === true : isShown,
    }))
    .toSorted((a, b) => placeOf(a.column.name) - placeOf(b.column.name))
}

/** Whether the gateway itself writes a field: it is no part of the entity definition. */
function isSystemField({ api_name: name, entity_type: type, read_only: isReadOnly }: Field): boolean {
  return name !== undefined && type === undefined && isReadOnly === true
}

/** The columns that are shown. */
export function shownColumns(
  table: Pick<Table, 'fields' | 'references' | 'collections'>,
  choice: ColumnChoice,
): readonly GridColumn[] {
  return columnsOf(table, choice).flatMap(({ column, isShown }) => (isShown ? [column] : []))
}

/** The choice with a column moved to the place of another one. */
export function withMoved(
  choice: ColumnChoice,
  names: readonly string[],
  name: string,
  place: number,
): ColumnChoice {
  const others = names.filter((other) => other !== name)
  return { ...choice, order: others.toSpliced(place, 0, name) }
}

/** The choice that is kept in this browser for a table. */
export function keptChoice(table: string): ColumnChoice {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(table)) ?? '{}') as Partial<ColumnChoice> | null
    return {
      order: Array.isArray(kept?.order) ? kept.order.map(String) : [],
      shown: objectOf(kept?.shown),
      widths: objectOf(kept?.widths),
      size: pageSizes.find((size) => size === kept?.size) ?? defaultChoice.size,
    }
  } catch {
    return defaultChoice
  }
}

/** Keeps a choice in this browser. One that has no place is forgotten with the page. */
export function keepChoice(table: string, choice: ColumnChoice): void {
  try {
    localStorage.setItem(keyOf(table), JSON.stringify(choice))
  } catch {
    // The storage of the browser is full, or turned off.
  }
}

function keyOf(table: string): string {
  return `gatehouse.console.columns.${table}`
}

function objectOf<Value>(
  value: Readonly<Record<string, Value>> | undefined,
): Readonly<Record<string, Value>> {
  return typeof value === 'object' && value !== null ? value : {}
}

function fieldColumn(
  field: Field,
  references: readonly Relation[],
  widths: ColumnChoice['widths'],
): GridColumn {
  const { name } = field
  const own = references.filter(({ fields }) => fields.some((pair) => pair.own === name))
  const reference = own.find(({ fields }) => fields.length === 1) ?? own[0]
  return {
    kind: 'field',
    name,
    field,
    ...(reference === undefined ? {} : { reference }),
    width: widthIn(widths, name, defaultWidth(field)),
  }
}

function collectionColumn(relation: Relation, widths: ColumnChoice['widths']): GridColumn {
  const { name } = relation
  return { kind: 'collection', name, relation, width: widthIn(widths, name, 180) }
}

function widthIn(widths: ColumnChoice['widths'], name: string, otherwise: number): number {
  const width = Object.hasOwn(widths, name) ? Number(widths[name]) : Number.NaN
  return Number.isFinite(width) ? Math.min(columnWidths.most, Math.max(columnWidths.least, width)) : otherwise
}

function defaultWidth(field: Field): number {
  const ofValues = isJson(field) ? 260 : (valueWidths[field.kind] ?? 200)
  // Letters of other scripts are up to twice as wide.
  const ofOwnName = 15 * Math.min(ownNameOf(field)?.length ?? 0, 12)
  const ofName = 56 + 8.5 * Math.min(field.name.length, 24) + ofOwnName
  return Math.round(Math.max(ofValues, ofName))
}

const valueWidths: Readonly<Partial<Record<Field['kind'], number>>> = {
  integer: 100,
  bigint: 160,
  float: 120,
  decimal: 120,
  boolean: 90,
  dateTime: 190,
  date: 120,
  time: 110,
  binary: 100,
  uuid: 300,
}
