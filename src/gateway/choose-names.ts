/** Choosing GraphQL names at run time. */
import * as v from 'valibot'
import type { Access } from '../access/access.ts'
import { changesBetween } from '../access/administration/audit-changes.ts'
import { type ListPage, pageParameters, readPage } from '../access/administration/list-page.ts'
import type { Actor } from '../access/caller.ts'
import type { ConfiguredNames } from '../config/chosen-names.ts'
import type { Connection } from '../database/driver.ts'
import { oneOf, refuse, strictObject } from '../documents/document-schema.ts'
import { parseDocument } from '../documents/parse-document.ts'
import { AppError } from '../errors/app-error.ts'
import { buildModel } from '../graphql/model/build-model.ts'
import {
  chosenNameOf,
  type NameTarget,
  NameTargets,
  nameKinds,
  noChosenNames,
  withChosenName,
} from '../graphql/model/chosen-names.ts'
import type { FieldNaming } from '../graphql/model/naming.ts'
import type { SchemaSnapshot } from '../graphql/snapshot.ts'
import type { Observer } from '../observe/events.ts'
import type { GivenNames } from '../store/given-names.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'
import { graphqlNameForm, isGraphqlName } from '../util/graphql-name.ts'
import { inSlices } from '../util/time-slices.ts'
import { namesOfTable, openingDetail } from './check-chosen-names.ts'
import { listNames, type ShownName } from './list-names.ts'

export interface NameParts {
  readonly store: Pick<Store, 'givenNames' | 'changes' | 'audit' | 'transaction'>
  readonly access: Pick<Access, 'whoGains'>
  readonly snapshot: () => SchemaSnapshot
  readonly schemaChanged: () => Promise<void>
  readonly naming: FieldNaming
  readonly configured: ConfiguredNames | undefined
  readonly now: Clock
  readonly nextId: () => string
  readonly observe: Observer
}

/** Listing and choosing names. Documents and queries come unvalidated from clients. */
export interface NameManagement {
  list(query: unknown): Promise<ListPage<ShownName>>
  choose(document: unknown, actor: Actor): Promise<ShownName>
  /** Goes back to the default name. */
  release(query: unknown, actor: Actor): Promise<void>
}

const target = { kind: oneOf(nameKinds), of: v.pipe(v.string(), v.maxLength(1000)) }
const nameSchema = v.pipe(
  v.string(),
  refuse((name) => (isGraphqlName(name) ? undefined : `This takes ${graphqlNameForm}.`)),
)
export const nameChoiceSchema = strictObject({ ...target, name: nameSchema })
export const nameReleaseQuery = strictObject(target)
export const nameListQuery = strictObject({
  ...pageParameters,
  kind: v.optional(oneOf(nameKinds)),
  chosen: v.pipe(
    v.optional(oneOf(['true', 'false', '']), 'false'),
    v.transform((text) => text !== 'false'),
  ),
})

/** How often a change is retried while other nodes store names. */
const attempts = 10

/** The management of chosen names. */
export function createNameManagement(parts: NameParts): NameManagement {
  const { snapshot, schemaChanged, observe } = parts

  async function change(wanted: Change, actor: Actor): Promise<void> {
    for (let attempt = 1; !(await changeOnce(wanted, actor, parts)); attempt += 1)
      if (attempt === attempts) throw new AppError('TOO_BUSY', { headers: { 'retry-after': '1' } })
    await schemaChanged()
    const { account, requestId } = actor
    const kind = wanted.name === undefined ? 'deleted' : 'changed'
    observe({ kind: 'RecordChanged', record: 'name', change: kind, name: wanted.of, account, requestId })
  }

  function find(
    { kind, of }: Pick<ShownName, 'kind' | 'of'>,
    code: 'DOCUMENT_INVALID' | 'PARAMETER_INVALID',
  ) {
    const found = new NameTargets(snapshot().databaseSchema).find(kind, of)
    if (typeof found !== 'string') return found
    throw new AppError(code, { mistakes: [{ pointer: '/of', detail: found }] })
  }

  return {
    async list(query) {
      const { kind, chosen, ...page } = parseDocument(nameListQuery, query, 'PARAMETER_INVALID')
      const all = listNames(snapshot()).filter(
        (name) => (kind === undefined || name.kind === kind) && (!chosen || name.by !== 'rule'),
      )
      const keyOf = ({ kind: own, of }: ShownName) => `${own} ${of}`
      const sorted = all.map((name) => ({ name, key: keyOf(name) })).sort((a, b) => (a.key < b.key ? -1 : 1))
      return readPage(
        page,
        async ({ limit, after = '' }) =>
          sorted
            .filter(({ key }) => key > after)
            .slice(0, limit)
            .map(({ name }) => name),
        keyOf,
      )
    },
    async choose(document, actor) {
      const { kind, of, name } = parseDocument(nameChoiceSchema, document)
      await change({ target: find({ kind, of }, 'DOCUMENT_INVALID'), of, name }, actor)
      return { kind, of, name, by: 'command' }
    },
    async release(query, actor) {
      const { kind, of } = parseDocument(nameReleaseQuery, query, 'PARAMETER_INVALID')
      await change({ target: find({ kind, of }, 'PARAMETER_INVALID'), of, name: undefined }, actor)
    },
  }
}

interface Change {
  readonly target: NameTarget
  /** The target as it was written. */
  readonly of: string
  /** Undefined to remove the chosen name. */
  readonly name: string | undefined
}

/** Whether it is done; false if another node has stored names in the meantime. */
function changeOnce(wanted: Change, actor: Actor, parts: NameParts): Promise<boolean> {
  const { store, snapshot, now, nextId } = parts
  const { target: named, of, name } = wanted
  const { account, address, requestId } = actor
  return store.transaction(async (connection) => {
    await store.changes.note(connection, 'schema')
    const kept = await store.givenNames.read(connection)
    if (kept === undefined) return false
    const before = kept.names.chosen ?? noChosenNames
    if (chosenNameOf(snapshot().model.configured, named) !== undefined) {
      const detail = 'The configuration of the gateway chooses this name (names). Change it there.'
      throw new AppError('NAME_TAKEN', { detail })
    }
    if (name === undefined && chosenNameOf(before, named) === undefined) {
      const detail = `No name is chosen for the ${named.kind} ${JSON.stringify(of)}.`
      throw new AppError('RECORD_NOT_FOUND', { detail })
    }
    const given: GivenNames = { ...kept.names, chosen: withChosenName(before, named, name) }
    const { naming, configured } = parts
    const { databaseSchema } = snapshot()
    const model = await inSlices(buildModel(databaseSchema, naming, { given, configured }))
    const refused = model.refusedNames.find(
      ({ target: { kind, table, of: own } }) =>
        kind === named.kind && own === named.of && table === named.table,
    )
    if (refused !== undefined) throw new AppError('NAME_TAKEN', { detail: refused.detail })
    await refuseOpeningBy(wanted, kept.names, connection, parts)
    if (!(await store.givenNames.replace(connection, kept, model.names))) return false
    await store.audit.append(connection, {
      ...{ account, address, requestId },
      id: nextId(),
      happenedAt: now().toISOString(),
      record: 'name',
      action: name === undefined ? 'deleted' : 'changed',
      name: of.slice(0, 180),
      detail: (name === undefined ? named.kind : `${named.kind} ${name}`).slice(0, 180),
      changes: changesBetween({ name: chosenNameOf(before, named) }, { name }),
    })
    return true
  })
}

/** A name must not give access to a table: only roles change what is allowed. */
async function refuseOpeningBy(
  { target: { kind, table }, name }: Change,
  kept: GivenNames,
  connection: Connection,
  { access }: NameParts,
): Promise<void> {
  const names = namesOfTable(table, kept)
  if (kind !== 'table' || name === undefined || names.includes(name)) return
  const gainers = await access.whoGains({ path: '/graphql', names, newName: name }, connection)
  const detail = openingDetail(table, name, gainers)
  if (detail !== undefined) throw new AppError('NAME_TAKEN', { detail })
}
