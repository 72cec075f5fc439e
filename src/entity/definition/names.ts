/**
 * Names of entities and fields. They are used verbatim as names of tables and columns and in GraphQL, so names that one
 * database or GraphQL does not accept, or interprets differently, are refused for all.
 */
import * as v from 'valibot'
import { ownTablePrefix } from '../../database/own-tables.ts'
import { refuse } from '../../documents/document-schema.ts'
import { sharedTypeNames } from '../../query/shared-type-names.ts'
import { systemColumns } from '../../record/record-rules.ts'

/** PostgreSQL's limit is 63; a few are reserved for the names of keys. */
const lengthLimit = 60

const reservedEntityNames: ReadonlySet<string> = new Set([...sharedTypeNames, 'node', 'customNode'])
/** Prefixes of the gateway's own tables, and those reserved by databases. */
const reservedPrefix = new RegExp(`^(?:${ownTablePrefix}|pg_|sql[a-z]*_)`, 'i')
const systemFieldNames: ReadonlySet<string> = new Set([...systemColumns, 'globalid'])
/** Columns that every table of PostgreSQL has already. */
const databaseColumnNames: ReadonlySet<string> = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'])

/** Reads the name of an entity. */
export const entityNameSchema = nameSchema((name) => {
  if (reservedEntityNames.has(name)) return `"${name}" is a name of the GraphQL schema. Choose another one.`
  const [prefix] = reservedPrefix.exec(name) ?? []
  return prefix && `Names that start with "${prefix}" are kept for tables of the gateway or of databases.`
})

/** Reads the name of a field. */
export const fieldNameSchema = nameSchema((name) => {
  const lowerCase = name.toLowerCase()
  if (systemFieldNames.has(lowerCase)) {
    return `Every entity has a field "${lowerCase === 'globalid' ? 'GlobalId' : lowerCase}" already. Choose another name.`
  }
  return databaseColumnNames.has(lowerCase)
    ? `"${name}" is a column that some databases keep for themselves. Choose another name.`
    : undefined
})

/** Reads the segment of a path below which an entity is published. */
export const resourceSchema = v.pipe(
  v.string(),
  refuse((name) =>
    /^[A-Za-z][A-Za-z0-9_-]{0,59}$/.test(name)
      ? undefined
      : 'A resource starts with a letter and holds only letters of the alphabet A to Z, digits, "_" and "-", at most 60 characters.',
  ),
)

function nameSchema(mistakeIn: (name: string) => string | undefined) {
  return v.pipe(
    v.string(),
    refuse((name) => formMistake(name) ?? mistakeIn(name)),
  )
}

function formMistake(name: string): string | undefined {
  if (name.length > lengthLimit) {
    return `A name has at most ${lengthLimit} characters, and this one has ${name.length}.`
  }
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(name)
    ? undefined
    : 'A name starts with a letter and holds only letters of the alphabet A to Z, digits and "_".'
}
