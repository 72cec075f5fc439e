/**
 * Makes entities of tables that are there already. Nothing in a table is changed: one is taken only where it is
 * exactly what the definition would have made, and then it is like any other entity.
 */
import * as v from 'valibot'
import type { Connection } from '../database/driver.ts'
import { AppError, type Mistake } from '../errors/app-error.ts'
import { strictObject } from '../http/document-schema.ts'
import { parseDocument } from '../http/parse-document.ts'
import type { StoredEntity } from '../store/entity-store.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { checkNames } from './check-names.ts'
import { checkReferences } from './check-references.ts'
import { deriveDefinition } from './derive-definition.ts'
import { driftOf } from './drift.ts'
import { hasTable } from './entity-definition.ts'
import { assertTogether, auditOf, type EntityParts, type Uploader } from './entity-parts.ts'
import { readUpload, type UploadedEntity } from './read-upload.ts'
import { readStoredEntities } from './stored-definition.ts'
import { createSurvey } from './survey.ts'
import { changeTables } from './uploads/change-tables.ts'

const limit = 1000
const adoptionSchema = strictObject({
  /** Names of tables whose definitions are to be derived. */
  tables: v.optional(v.pipe(v.array(v.string()), v.maxLength(limit)), []),
  /** Definitions of tables, where they are known, or where the derived ones say too little. */
  definitions: v.optional(v.pipe(v.array(v.unknown()), v.maxLength(limit)), []),
})

/** Adopts tables: all that are named, or none. Gives the stored entities, those of `definitions` first. */
export async function adoptTables(
  document: unknown,
  uploader: Uploader,
  parts: EntityParts,
): Promise<readonly StoredEntity[]> {
  assertTogether(parts)
  const stored = await changeTables(uploader, parts, async (connection) => {
    const saved = (await prepare(document, connection, parts)).map(({ definition, json, resource }) => ({
      name: definition.name,
      definition: json,
      resource,
      changedBy: uploader.account,
      changedAt: parts.now().toISOString(),
    }))
    const audit = saved.map(({ name }) =>
      auditOf(parts, uploader, { action: 'created', name, detail: 'adopted' }),
    )
    return { work: { changes: [], finalFrom: 0, saved, removed: [], audit }, result: saved }
  })
  const { account, requestId } = uploader
  parts.observe({ kind: 'EntitiesApplied', entities: stored.map(({ name }) => name), account, requestId })
  return stored
}

/** The definitions that an adoption would keep; nothing is changed. */
export async function planAdoption(
  document: unknown,
  parts: EntityParts,
): Promise<readonly UploadedEntity[]> {
  assertTogether(parts)
  return parts.database.driver.read((connection) => prepare(document, connection, parts))
}

async function prepare(
  document: unknown,
  connection: Connection,
  { database, store }: EntityParts,
): Promise<readonly UploadedEntity[]> {
  const { tables, definitions } = parseDocument(adoptionSchema, document)
  if (tables.length + definitions.length === 0) {
    throw new AppError('DOCUMENT_INVALID', {
      mistakes: [{ pointer: '/tables', detail: 'Name at least one table, here or by its definition.' }],
    })
  }
  const { dialect } = database
  const found = await dialect.introspect(connection)
  const known = readStoredEntities(await store.entities.list(connection))
  const refusals: Mistake[] = []
  const derived = tables.flatMap((name, index) => {
    const pointer = `/tables/${index}`
    const table = found.tables.get(name)
    if (table?.kind !== 'table') {
      const suggestion = didYouMean(name, found.tables.keys())
      refusals.push({ pointer, detail: `There is no table "${name}"${suggestion}.` })
      return []
    }
    const derivation = deriveDefinition(table, dialect.ddl)
    if ('definition' in derivation) return [{ pointer, document: derivation.definition }]
    for (const detail of derivation.refused) refusals.push({ pointer, detail })
    return []
  })
  const given = definitions.map((definition, index) => ({
    pointer: `/definitions/${index}`,
    document: definition,
  }))
  const sources = [...given, ...derived]
  const { uploads, mistakes } =
    sources.length === 0
      ? { uploads: [], mistakes: [] }
      : readUpload(
          sources.map((source) => source.document),
          () => undefined,
        )
  const wrong = [...mistakes, ...checkNames(uploads, known), ...checkReferences(uploads, known)]
  refusals.push(...wrong.map((mistake) => placed(mistake, sources)))
  const survey = createSurvey(connection, database)
  for (const upload of uploads.filter(({ complete }) => complete)) {
    for (const detail of [
      ...refusalsOf(upload, found, dialect.ddl),
      ...(await strangeBooleans(upload, survey, found.tables.has(upload.definition.name))),
    ]) {
      refusals.push(placed({ pointer: upload.pointer, detail }, sources))
    }
  }
  if (refusals.length > 0) throw new AppError('ADOPTION_REFUSED', { mistakes: refusals })
  return uploads
}

type Found = Parameters<typeof driftOf>[1]

function refusalsOf(
  { definition }: UploadedEntity,
  found: Found,
  ddl: Parameters<typeof driftOf>[2],
): readonly string[] {
  if (!hasTable(definition)) return ['This definition has no table. Upload it.']
  const key = found.tables.get(definition.name)?.primaryKey
  const details = driftOf(definition, found, ddl).map(({ detail }) => detail)
  const isKeyed = key === undefined || (key.length === 1 && key[0] === 'instance')
  return isKeyed ? details : [...details, 'The primary key of the table is not "instance".']
}

/** A column of booleans and one of small numbers are alike; only the rows tell. */
async function strangeBooleans(
  { definition }: UploadedEntity,
  survey: ReturnType<typeof createSurvey>,
  isThere: boolean,
): Promise<readonly string[]> {
  if (!isThere) return []
  const details: string[] = []
  for (const { name, type, persistence } of definition.fields) {
    if (type !== 'boolean' || !persistence) continue
    const rows = await survey.otherThan(definition.name, name, [0, 1])
    if (rows > 0)
      details.push(
        `The column "${name}" would be a boolean, and ${rows === 1 ? 'a row holds' : `${rows} rows hold`} something else than 0 and 1.`,
      )
  }
  return details
}

/** With the place in what was sent; of a derived definition that is its table. */
function placed({ pointer, detail }: Mistake, sources: readonly { readonly pointer: string }[]): Mistake {
  const [, index = '', ...rest] = pointer.split('/')
  const source = sources[Number(index)]?.pointer ?? ''
  const inside = source.startsWith('/definitions') ? rest.map((part) => `/${part}`).join('') : ''
  return { pointer: source + inside, detail }
}
