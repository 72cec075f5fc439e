import { expect, test } from 'vitest'
import { definition, field, temporaryEntities } from '../../../test/support/temporary-entities.ts'
import type { StoredEntity } from '../../store/entity-store.ts'
import type { UploadEntry, UploadState } from '../../store/upload-store.ts'
import { currentDefinitions } from './current-definitions.ts'

const stored = (json: Readonly<Record<string, unknown>>): StoredEntity => ({
  name: 'Port',
  definition: json,
  resource: 'ports',
  changedBy: 'admin',
  changedAt: '2026-11-21T06:00:00.000Z',
})
const one = stored(definition('Port', { local: [field('size', 'integer')] }))
const two = stored(definition('Port', { local: [field('note', 'text')] }))

const upload = (state: UploadState): UploadEntry => ({
  id: '1',
  state,
  stepsDone: 0,
  account: 'admin',
  requestId: 'r',
  startedAt: '2026-11-21T06:00:00.000Z',
  changes: [],
  finalFrom: 0,
  saved: [two],
  removed: [],
  audit: [],
})

test.each([
  ['making', 'the old one', [one], { definitions: [one], isSettled: true }],
  ['making', 'the new one', [two], { definitions: [two], isSettled: true }],
  ['making', 'neither', undefined, { definitions: [one], isSettled: false }],
  ['finishing', 'the new one', [two], { definitions: [two], isSettled: true }],
  ['finishing', 'neither', undefined, { definitions: [two], isSettled: false }],
] as const)('while an upload is %s and the table follows %s', async (state, _, made, expected) => {
  const entities = await temporaryEntities()
  if (made !== undefined) await entities.upload(made[0].definition)
  const { driver, dialect } = entities.database
  const schema = await driver.read((connection) => dialect.introspect(connection))
  const known = state === 'finishing' ? [two] : [one]
  expect(await currentDefinitions(known, upload(state), schema, dialect.ddl)).toEqual(expected)
})
