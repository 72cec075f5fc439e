/** What one caller may do with the records of an entity, when an authority of its has conditions. */
import type { Table } from '../database/database-schema.ts'
import type { Filter, TableRights } from '../query/filter.ts'
import type { Variables } from '../query/value-source.ts'

export interface RecordRights {
  /** What may be read; undefined for everything. */
  readonly read: ReadRights | undefined
  /** What the method of the request may write, in the order of the authorities; undefined for everything. */
  readonly write: readonly WriteGrant[] | undefined
  /** The rows of another table that a reference may lead to; undefined for all. */
  rowsOf(table: Table): Filter | undefined
  /** The values that the filters name which were asked for by then. */
  variables(): Variables
}

/** What may be read of the records of an entity. */
export interface ReadRights {
  readonly table: TableRights
  /** Names of the fields that are given at all; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined
}

/** What one authority lets be written. */
export interface WriteGrant {
  /** The rows that it admits, before and after the change; undefined for all. */
  readonly rows: Filter | undefined
  /** Names of the fields that it gives; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined
  /** JSON values of the fields that it sets: none if it admits no row. */
  readonly set: ReadonlyMap<string, unknown>
}

/** What one authority lets be read. */
export interface ReadGrant {
  readonly rows: Filter | undefined
  readonly fields: ReadonlySet<string> | undefined
}

/** Whether a field may be read in some record. */
export function isReadable(rights: RecordRights | undefined, name: string): boolean {
  const given = rights?.read?.fields
  return given === undefined || given.has(name)
}

/** Whether a field may be written in some record with a value of the caller's choice. */
export function isChosen(rights: RecordRights | undefined, name: string): boolean {
  if (rights?.write === undefined) return true
  return rights.write.some(({ fields, set }) => !set.has(name) && (fields === undefined || fields.has(name)))
}

/** Whether the caller knows of a field: it reads it, or writes it with a value of its choice, in some record. */
export function isKnown(rights: RecordRights | undefined, name: string): boolean {
  return isReadable(rights, name) || isChosen(rights, name)
}

/** Whether the rights may set a field that is not sent. */
export function isSetBySome(rights: RecordRights | undefined, name: string): boolean {
  return rights?.write?.some(({ set }) => set.has(name)) === true
}

/** A filter that selects no row. */
export const noRows: Filter = { kind: 'or', filters: [] }

/**
 * What several authorities together let be read; undefined if it is everything. A record is reached if one of them
 * admits it, and a field of it is given by those that admit it. The fields of `keyNames` are never null.
 */
export function readRightsOf(
  grants: readonly ReadGrant[],
  columnNames: Iterable<string>,
  keyNames: ReadonlySet<string>,
): ReadRights | undefined {
  if (grants.some(({ rows, fields }) => rows === undefined && fields === undefined)) return undefined
  const rows = anyOf(grants.map((grant) => grant.rows))
  const given = new Set<string>()
  const masks = new Map<string, Filter>()
  for (const name of columnNames) {
    const giving = grants.filter(({ fields }) => fields === undefined || fields.has(name))
    if (giving.length === 0) continue
    given.add(name)
    const mask = anyOf(giving.map((grant) => grant.rows))
    if (mask !== undefined && giving.length < grants.length && !keyNames.has(name)) masks.set(name, mask)
  }
  const isEverythingGiven = grants.length > 0 && grants.every(({ fields }) => fields === undefined)
  return { table: { rows, masks }, fields: isEverythingGiven ? undefined : given }
}

/** The rows that one of some filters selects; undefined is all rows. */
export function anyOf(filters: readonly (Filter | undefined)[]): Filter | undefined {
  const [first] = filters
  if (filters.includes(undefined)) return undefined
  const known = filters.filter((filter) => filter !== undefined)
  return known.length === 1 ? first : { kind: 'or', filters: known }
}
