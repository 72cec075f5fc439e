/**
 * Makes entities of existing tables; nothing in a table is changed. A table with all system columns of entities is taken
 * over if its types fit the definition (`taken-table.ts`), and is then like any other entity. Any other table is adopted
 * as it is: its definition says so (`adopted`).
 */
import * as v from 'valibot'
import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import type { TableNames } from '../../database/table-names.ts'
import { listOf, strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError, type Mistake } from '../../errors/app-error.ts'
import type { StoredEntity } from '../../store/entity-store.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { checkNames } from '../definition/check-names.ts'
import { checkReferences } from '../definition/check-references.ts'
import { type EntityDefinition, hasTable } from '../definition/entity-definition.ts'
import { readStoredEntities } from '../definition/stored-definition.ts'
import {
  assertTogether,
  auditOf,
  type Connections,
  type EntityParts,
  readBoth,
  type Uploader,
} from '../entity-parts.ts'
import { driftOf } from '../plan/drift.ts'
import { analyzeTables, type TableAnalysis } from '../plan/table-analysis.ts'
import { isMadeByOthers } from '../plan/table-spec-of.ts'
import { conflictsOf, hasSystemColumns, strangeBooleans } from '../plan/taken-table.ts'
import { changeTables } from '../upload/change-tables.ts'
import { checkGivenNames } from '../upload/check-given-names.ts'
import { type AdoptedElsewhere, elsewhereNamed, tablesOfEntities } from '../upload/entity-tables.ts'
import { readUpload, type UploadedEntity } from '../upload/read-upload.ts'
import { misfitsOf } from './adopted-table.ts'
import { deriveAdopted } from './derive-adopted.ts'
import { type DerivedDefinition, deriveDefinition } from './derive-definition.ts'

const limit = 1000
export const adoptionSchema = strictObject({
  /** Names of tables whose definitions are to be derived. */
  tables: v.optional(listOf(v.string(), limit), []),
  /** Definitions of tables, if they are known, or if the derived ones are not enough. */
  definitions: v.optional(listOf(v.unknown(), limit), []),
})

/** An entity that was made from a table. */
export interface AdoptedEntity {
  readonly entity: StoredEntity
  /** What of the table is not served, or read-only, in sentences. */
  readonly warnings: readonly string[]
}

/** The definitions that an adoption stores. */
export interface Adoption {
  readonly uploads: readonly UploadedEntity[]
  /** By the name of the table. */
  readonly warnings: ReadonlyMap<string, readonly string[]>
}

/** Adopts all named tables, or none. Returns the stored entities, those of `definitions` first. */
export async function adoptTables(
  document: unknown,
  uploader: Uploader,
  parts: EntityParts,
): Promise<readonly AdoptedEntity[]> {
  const adopted = await changeTables(uploader, parts, async (connections) => {
    const { uploads, warnings } = await prepare(document, connections, parts)
    const saved = uploads.map(({ definition, json, resource }) => ({
      name: definition.name,
      definition: json,
      resource,
      changedBy: uploader.account,
      changedAt: parts.now().toISOString(),
    }))
    const audit = saved.map(({ name }) =>
      auditOf(parts, uploader, { action: 'created', name, detail: 'adopted' }),
    )
    const result = saved.map((entity) => ({ entity, warnings: warnings.get(entity.name) ?? [] }))
    return { work: { changes: [], finalFrom: 0, saved, removed: [], audit }, result }
  })
  const { account, requestId } = uploader
  const names = adopted.map(({ entity }) => entity.name)
  parts.observe({ kind: 'EntitiesApplied', entities: names, account, requestId })
  return adopted
}

/** The definitions that an adoption would store; nothing is changed. */
export async function planAdoption(document: unknown, parts: EntityParts): Promise<Adoption> {
  return readBoth(parts, (connections) => prepare(document, connections, parts))
}

async function prepare(
  document: unknown,
  { tables: connection, records }: Connections,
  { database, store }: EntityParts,
): Promise<Adoption> {
  const { tables: sent, definitions } = parseDocument(adoptionSchema, document)
  if (sent.length + definitions.length === 0) {
    throw new AppError('DOCUMENT_INVALID', {
      mistakes: [{ pointer: '/tables', detail: 'Name at least one table, here or by its definition.' }],
    })
  }
  const { dialect } = database
  const served = await dialect.introspect(connection)
  const tables = sent.map((text) => withoutFirstSchema(text, served))
  const known = await readStoredEntities(await store.entities.list(records))
  const kept = await store.givenNames.read(records)
  const tableNames = { ...kept?.names.tables, ...kept?.names.chosen?.tables }
  const elsewhere = namedElsewhere(tables, served, tableNames)
  const meant = [...known.map(({ definition }) => definition), ...elsewhere.values()]
  const names = new Set([
    ...tables.map((text) => elsewhere.get(text)?.name ?? text),
    ...known.map(({ entity }) => entity.name),
    ...definitions.flatMap((definition) => nameIn(definition)),
  ])
  const { derived, warnings, refusals } = deriveAll(tables, {
    elsewhere,
    found: tablesOfEntities(served, meant),
    isEntity: (table) => names.has(table),
    ddl: dialect.ddl,
  })
  const given = definitions.map((definition, index) => ({
    pointer: `/definitions/${index}`,
    document: definition,
  }))
  const sources = [...given, ...derived]
  const { uploads, mistakes } =
    sources.length === 0
      ? { uploads: [], mistakes: [] }
      : await readUpload(
          sources.map((source) => source.document),
          () => undefined,
        )
  assertTogether(
    uploads.map(({ definition }) => definition),
    { store },
  )
  const found = tablesOfEntities(served, [...meant, ...uploads.map(({ definition }) => definition)])
  const wrong = [
    ...mistakes,
    ...checkNames(uploads, known),
    ...checkReferences(uploads, known),
    ...checkGivenNames(uploads, known, kept?.names, served),
  ]
  refusals.push(...wrong.map((mistake) => placed(mistake, sources)))
  const analysis = analyzeTables(connection, database)
  for (const upload of uploads.filter(({ complete }) => complete)) {
    for (const detail of await refusalsOf(upload, found, dialect.ddl, analysis)) {
      refusals.push(placed({ pointer: upload.pointer, detail }, sources))
    }
  }
  if (refusals.length > 0) throw new AppError('ADOPTION_REFUSED', { mistakes: refusals })
  return { uploads, warnings }
}

/** A table of the first schema may be named with it, too. */
function withoutFirstSchema(text: string, { tables, schemas: [first] = [] }: DatabaseSchema): string {
  const prefix = `${first}.`
  const name = text.slice(prefix.length)
  return first !== undefined && text.startsWith(prefix) && !tables.has(text) && tables.has(name) ? name : text
}

/** The tables that are named with a schema other than the first, by that name. */
function namedElsewhere(
  tables: readonly string[],
  served: DatabaseSchema,
  given: TableNames,
): ReadonlyMap<string, AdoptedElsewhere> {
  const named = tables.flatMap((text) => {
    const entity = served.tables.has(text) ? undefined : elsewhereNamed(text, served, given)
    return entity === undefined ? [] : [[text, entity] as const]
  })
  return new Map(named)
}

interface DeriveParts {
  readonly elsewhere: ReadonlyMap<string, AdoptedElsewhere>
  readonly found: DatabaseSchema
  readonly isEntity: (table: string) => boolean
  readonly ddl: Ddl
}

/** The definitions of the named tables, with their locations in what was sent, and why others have none. */
function deriveAll(tables: readonly string[], parts: DeriveParts) {
  const warnings = new Map<string, readonly string[]>()
  const refusals: Mistake[] = []
  const derived = tables.flatMap((text, index) => {
    const pointer = `/tables/${index}`
    const name = parts.elsewhere.get(text)?.name ?? text
    const derivation = derive(name, parts.elsewhere.has(text), parts)
    if ('definition' in derivation) {
      warnings.set(name, derivation.warnings)
      return [{ pointer, document: derivation.definition }]
    }
    for (const detail of derivation.refused) refusals.push({ pointer, detail })
    return []
  })
  return { derived, warnings, refusals }
}

function derive(
  name: string,
  isElsewhere: boolean,
  { found: { tables }, isEntity, ddl }: DeriveParts,
): DerivedDefinition {
  const table = tables.get(name)
  if (table === undefined) {
    const elsewhere = [...tables.values()].find((other) => other.name === name)
    return {
      refused: [
        elsewhere === undefined
          ? `There is no table "${name}"${didYouMean(name, tables.keys())}.`
          : `The table "${name}" is in the schema "${elsewhere.schema}": name it "${elsewhere.schema}.${name}".`,
      ],
    }
  }
  return deriveFrom(table, isElsewhere, { isEntity, ddl })
}

function deriveFrom(
  table: Table,
  isElsewhere: boolean,
  { isEntity, ddl }: Pick<DeriveParts, 'isEntity' | 'ddl'>,
): DerivedDefinition {
  if (table.kind === 'view') {
    const detail = `"${table.id}" is a view, whose rows are those of its tables. It is served in GraphQL as it is.`
    return { refused: [detail] }
  }
  return hasSystemColumns(table) && !isElsewhere
    ? deriveDefinition(table, ddl)
    : deriveAdopted(table, isEntity, isElsewhere)
}

/**
 * Why a table cannot be adopted, in sentences, as far as its columns and keys say; empty if they allow it. Its rows are
 * looked at only when it is adopted. `name` is what the entity would be called; `elsewhere` says that the table is in another
 * schema than the first.
 */
export function reasonsAgainstAdoption(
  table: Table,
  { name, elsewhere, ddl }: { readonly name: string; readonly elsewhere: boolean; readonly ddl: Ddl },
): readonly string[] {
  const named = elsewhere ? { ...table, id: name } : table
  const derived = deriveFrom(named, elsewhere, { isEntity: () => false, ddl })
  return 'refused' in derived ? derived.refused : []
}

function nameIn(definition: unknown): readonly string[] {
  const isNamed = typeof definition === 'object' && definition !== null && 'name' in definition
  return isNamed && typeof definition.name === 'string' ? [definition.name] : []
}

async function refusalsOf(
  { definition }: UploadedEntity,
  found: DatabaseSchema,
  ddl: Ddl,
  analysis: TableAnalysis,
): Promise<readonly string[]> {
  if (!hasTable(definition)) return ['This definition has no table. Upload it.']
  if (definition.adopted !== undefined)
    return [...misfitsOf(definition, found, ddl), ...(await wrongBooleans(definition, found, analysis))]
  const table = found.tables.get(definition.name)
  const drift = driftOf(definition, found, ddl)
  const isTaken = table !== undefined && isMadeByOthers(table, ddl)
  const said = drift.filter(({ kind }) => kind !== 'type' && !(isTaken && kind === 'extraColumn'))
  const conflicts = await conflictsOf(definition, found, ddl, analysis)
  return [...new Set([...conflicts, ...said].map(({ detail }) => detail))]
}

/**
 * Columns of an adopted table that would be booleans by mistake; for a table in another schema the database's own types
 * decide.
 */
async function wrongBooleans(
  { name, adopted, fields }: EntityDefinition,
  { tables }: DatabaseSchema,
  analysis: TableAnalysis,
): Promise<readonly string[]> {
  const details: string[] = []
  for (const { name: field, type } of adopted?.schema === undefined ? fields : []) {
    const column = tables.get(name)?.columns.get(field)
    const detail = column === undefined ? undefined : await strangeBooleans(column, type, name, analysis)
    if (detail !== undefined) details.push(detail)
  }
  return details
}

/** With the location in what was sent; for a derived definition that is its table. */
function placed({ pointer, detail }: Mistake, sources: readonly { readonly pointer: string }[]): Mistake {
  const [, index = '', ...rest] = pointer.split('/')
  const source = sources[Number(index)]?.pointer ?? ''
  const inside = source.startsWith('/definitions') ? rest.map((part) => `/${part}`).join('') : ''
  return { pointer: source + inside, detail }
}
