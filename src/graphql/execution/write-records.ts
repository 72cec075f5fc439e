/** Carries out a field of a mutation as the calls of the published API that it stands for. */
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import { preconditionOf } from '../../http/etag.ts'
import type { RowKey } from '../../query/mutate-plan.ts'
import { changeRecord } from '../../record/change-record.ts'
import { createRecords } from '../../record/create-records.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import { findRow, type RecordTarget } from '../../record/record-target.ts'
import { removeRecord } from '../../record/remove-record.ts'
import { assertNever } from '../../util/assert-never.ts'
import type { WrittenField } from '../model/writes.ts'
import { type Document, inDocument, inDocuments, ofRecord } from './input-documents.ts'
import { documentsOf } from './references-in-place.ts'
import type { WriteCall } from './write-call.ts'
import { addressedBy, addressedByInput, ifMatchIn, matchingKeys, recordsCalled } from './written-targets.ts'

/** Writes the records, and reads what is shown of them. Errors point into the arguments of the field. */
export async function writeRecords(call: WriteCall): Promise<void> {
  switch (call.kind) {
    case 'create':
      return call.read([await create(call)])
    case 'createAll':
      return call.read(await createList(call))
    case 'update': {
      const target = await addressedBy(call, 'PATCH')
      const document = await oneDocument(call, call.writes.changed)
      return call.read([await change(target, document, call)])
    }
    case 'updateAll':
      return updateAll(call)
    case 'upsert':
      return upsert(call)
    case 'delete':
      return remove(await addressedBy(call, 'DELETE'), call, (key) => call.read([key]))
    case 'deleteAll':
      return removeAll(call)
    default:
      return assertNever(call.kind)
  }
}

async function create(call: WriteCall): Promise<RowKey> {
  const allowed = allowedToCreate(call)
  const document = await oneDocument(call, call.writes.created)
  const keys = await inDocument('/input', call.writes.names, () => createdKeys(allowed, document, call))
  const [key] = keys
  invariant(key !== undefined, 'a record was created')
  return key
}

async function createList(call: WriteCall): Promise<readonly RowKey[]> {
  const allowed = allowedToCreate(call)
  const inputs = call.args.inputs as readonly Document[]
  const pointers = inputs.map((_, index) => `/inputs/${index}`)
  const documents = await documentsOf({ inputs, pointers }, call.writes.created, call)
  return inDocuments('/inputs', pointers, call.writes.names, () => createdKeys(allowed, documents, call))
}

function allowedToCreate({ writes: { entity }, writing }: WriteCall): PublishedEntity {
  return writing.allowedFor('POST', `/apis/${entity.resource}`, entity)
}

function createdKeys(
  allowed: PublishedEntity,
  document: unknown,
  { type, writing: { origin, parts } }: WriteCall,
): Promise<readonly RowKey[]> {
  return createRecords(allowed, document, origin(), parts, async ({ keys, rows }) => {
    // A caller who may not read all rows cannot tell from what it reads whether the table has kept them.
    if (type.rights !== undefined) await rows()
    return keys
  })
}

async function oneDocument(call: WriteCall, written: readonly WrittenField[]): Promise<Document> {
  const placed = { inputs: [call.args.input as Document], pointers: ['/input'] }
  const [document = {}] = await documentsOf(placed, written, call)
  return document
}

function change(target: RecordTarget, document: Document, call: WriteCall): Promise<RowKey> {
  const precondition = preconditionOf({ ifMatch: ifMatchIn(call), ifNoneMatch: undefined })
  const { origin, parts } = call.writing
  return inDocument('/input', call.writes.names, () =>
    changeRecord(
      target,
      { kind: 'merge', document, precondition, origin: origin() },
      parts,
      async ({ key }) => key,
    ),
  )
}

/** What the input creates in place is created once, for all records. */
async function updateAll(call: WriteCall): Promise<void> {
  const targets = await recordsCalled(await matchingKeys(call), 'PATCH', call)
  const document = targets.length === 0 ? {} : await oneDocument(call, call.writes.changed)
  const keys: RowKey[] = []
  for (const target of targets) {
    call.assertInTime()
    keys.push(await ofRecord(target.identifier, () => change(target, document, call)))
  }
  return call.read(keys)
}

/** Needs the right to both calls, whichever it becomes. */
async function upsert(call: WriteCall): Promise<void> {
  const { enclosing, database } = call.writing.parts
  allowedToCreate(call)
  const target = addressedByInput(call)
  const row = await findRow(target, enclosing.connection, database.dialect)
  if (row === undefined) return call.read([await create(call)])
  const document = await oneDocument(call, call.writes.created)
  return call.read([await change(target, document, call)])
}

function remove(
  target: RecordTarget,
  call: WriteCall,
  before: (key: RowKey) => Promise<void>,
): Promise<void> {
  const precondition = preconditionOf({ ifMatch: ifMatchIn(call), ifNoneMatch: undefined })
  return removeRecord(target, precondition, call.writing.parts, before)
}

async function removeAll(call: WriteCall): Promise<void> {
  const matching = await matchingKeys(call)
  const targets = await recordsCalled(matching, 'DELETE', call)
  await call.read(matching.map(({ row }) => row))
  for (const target of targets) {
    call.assertInTime()
    try {
      await ofRecord(target.identifier, () => remove(target, call, async () => {}))
    } catch (error) {
      // All of them are locked: one that is gone was deleted with another one of them.
      if (!(isMissing(error) && (await isGone(target, call)))) throw error
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof AppError && error.code === 'RECORD_NOT_FOUND'
}

/** Whether there is no such row, whatever the caller may write. */
async function isGone({ entity, key }: RecordTarget, { writing }: WriteCall): Promise<boolean> {
  const { enclosing, database } = writing.parts
  const everyone = { entity: { ...entity, rights: undefined }, identifier: '', key }
  return (await findRow(everyone, enclosing.connection, database.dialect)) === undefined
}
