/** Carries out a field of a mutation as the calls of the published API that it stands for. */
import type { RowKey } from '../../query/mutate-plan.ts'
import { type ChangedRecord, changeRecord } from '../../record/change-record.ts'
import { createRecords } from '../../record/create-records.ts'
import { preconditionOf } from '../../record/etag.ts'
import { rowKeyIn } from '../../record/record-layout.ts'
import { findRow, type RecordTarget } from '../../record/record-target.ts'
import { removeRecord } from '../../record/remove-record.ts'
import { assertNever } from '../../util/assert-never.ts'
import { documentOf, inDocument, ofRecord } from './input-documents.ts'
import type { WriteCall } from './write-call.ts'
import { addressedBy, addressedByInput, matchingKeys, recordCalled } from './written-targets.ts'

/** Writes the records, and reads what is shown of them. Errors point into the arguments of the field. */
export async function writeRecords(call: WriteCall): Promise<void> {
  const { args } = call
  switch (call.kind) {
    case 'create':
      return call.read(await create(documentOf(args.input, call), '/input', call))
    case 'createAll': {
      const documents = (args.inputs as readonly unknown[]).map((input) => documentOf(input, call))
      return call.read(await create(documents, '/inputs', call))
    }
    case 'update': {
      const target = await addressedBy(call, 'PATCH')
      return call.read([(await change(target, call)).key])
    }
    case 'updateAll': {
      const keys: RowKey[] = []
      for (const values of await matchingKeys(call)) {
        const target = recordCalled(values, 'PATCH', call)
        keys.push((await ofRecord(target.identifier, () => change(target, call))).key)
      }
      return call.read(keys)
    }
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

function create(
  document: unknown,
  front: string,
  { writes: { entity, names }, writing: { allowedFor, origin, parts } }: WriteCall,
): Promise<readonly RowKey[]> {
  const allowed = allowedFor('POST', `/apis/${entity.resource}`, entity)
  return inDocument(front, names, () =>
    createRecords(allowed, document, origin, parts, async (rows) =>
      rows.map((row) => rowKeyIn(row, allowed)),
    ),
  )
}

function change(target: RecordTarget, call: WriteCall): Promise<ChangedRecord> {
  const { args, writes, writing } = call
  const document = documentOf(args.input, call)
  const precondition = preconditionOf({ ifMatch: ifMatchIn(call), ifNoneMatch: undefined })
  const { origin, parts } = writing
  return inDocument('/input', writes.names, () =>
    changeRecord(target, { kind: 'merge', document, precondition, origin }, parts),
  )
}

function ifMatchIn({ args }: WriteCall): string | undefined {
  return typeof args.ifMatch === 'string' ? args.ifMatch : undefined
}

/** Needs the right to both calls, whichever it becomes. */
async function upsert(call: WriteCall): Promise<void> {
  const { writes, writing } = call
  const { entity } = writes
  writing.allowedFor('POST', `/apis/${entity.resource}`, entity)
  const target = addressedByInput(call)
  const { enclosing, database } = writing.parts
  const row = await findRow(target, enclosing.connection, database.dialect)
  if (row !== undefined) return call.read([(await change(target, call)).key])
  return call.read(await create(documentOf(call.args.input, call), '/input', call))
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
  const targets = matching.map((values) => recordCalled(values, 'DELETE', call))
  await call.read(matching.map(({ row }) => row))
  for (const target of targets) await ofRecord(target.identifier, () => remove(target, call, async () => {}))
}
