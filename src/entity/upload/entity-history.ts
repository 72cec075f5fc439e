/** The visible history of an entity's definition; it stays when the entity is deleted. */
import { AppError } from '../../errors/app-error.ts'
import type { StoredEntityVersion } from '../../store/entity-version-store.ts'
import type { Store } from '../../store/store.ts'
import { compareVersions, type DefinitionChange, summaryOf } from './compare-versions.ts'
import { unknownEntity } from './remove-entity.ts'

/** A version as it is shown; without its definition in lists. */
export interface ShownVersion {
  readonly version: number
  readonly action: 'created' | 'changed' | 'deleted'
  readonly changed_by: string
  readonly changed_at: string
  /** The differences from the previous version, a few words each. */
  readonly summary: readonly string[]
}

type Versions = readonly StoredEntityVersion[]

/** The versions of an entity, newest first. Throws RECORD_NOT_FOUND if there has never been one of that name. */
export async function listVersions(
  store: Pick<Store, 'entityVersions' | 'read'>,
  name: string,
): Promise<readonly ShownVersion[]> {
  const versions = await versionsOf(store, name)
  return versions.map((version) => shown(version, versions)).reverse()
}

/** One version with its definition, which is null if the entity was deleted. */
export async function findVersion(
  store: Pick<Store, 'entityVersions' | 'read'>,
  name: string,
  number: number,
) {
  const versions = await versionsOf(store, name)
  const version = numbered(versions, number, name)
  return { name, ...shown(version, versions), definition: version.definition ?? null }
}

/** What differs between two versions; without `to`, what a version changed. */
export async function diffVersions(
  store: Pick<Store, 'entityVersions' | 'read'>,
  name: string,
  { number, to }: { readonly number: number; readonly to: number | undefined },
): Promise<{ readonly from: number; readonly to: number; readonly changes: readonly DefinitionChange[] }> {
  const versions = await versionsOf(store, name)
  const earlier = to === undefined ? number - 1 : number
  const later = to ?? number
  const definitionOf = (wanted: number) =>
    wanted === 0 && to === undefined ? undefined : numbered(versions, wanted, name).definition
  return { from: earlier, to: later, changes: compareVersions(definitionOf(earlier), definitionOf(later)) }
}

async function versionsOf({ read, entityVersions }: Pick<Store, 'entityVersions' | 'read'>, name: string) {
  const versions = await read((connection) => entityVersions.list(connection, name))
  if (versions.length === 0) throw unknownEntity(name)
  return versions
}

function numbered(versions: Versions, number: number, name: string): StoredEntityVersion {
  const version = versions.find((candidate) => candidate.version === number)
  if (version !== undefined) return version
  const detail = `"${name}" has the versions 1 to ${versions.at(-1)?.version}, and not ${number}.`
  throw new AppError('RECORD_NOT_FOUND', { detail })
}

function shown(
  { version, definition, changedBy, changedAt }: StoredEntityVersion,
  versions: Versions,
): ShownVersion {
  const before = versions.find((other) => other.version === version - 1)?.definition
  const action = definition === undefined ? 'deleted' : before === undefined ? 'created' : 'changed'
  const summary = summaryOf(compareVersions(before, definition))
  return { version, action, changed_by: changedBy, changed_at: changedAt, summary }
}
