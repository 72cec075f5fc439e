/** Checks chosen names before they are used. */
import type { Access } from '../access/access.ts'
import { ConfigError } from '../config/config-error.ts'
import { describeTableKey, tableKeyOf } from '../database/table-names.ts'
import { chosenNameOf } from '../graphql/model/chosen-names.ts'
import type { GraphqlModel } from '../graphql/model/model.ts'
import type { GivenNames } from '../store/given-names.ts'
import type { Store } from '../store/store.ts'
import type { SchemaNames } from './served-schema.ts'

/** Throws `ConfigError` if the configuration chooses names that belong to something else. */
export function refuseConfiguredNames({ refusedNames, configured }: GraphqlModel): void {
  const mistakes = refusedNames.filter(({ target }) => chosenNameOf(configured, target) !== undefined)
  if (mistakes.length > 0) throw new ConfigError(mistakes.map(({ detail }) => `names: ${detail}`))
}

/** Throws `ConfigError` if a name in the configuration would give an existing role access to a table. */
export async function refuseOpening(
  { model, kept }: SchemaNames,
  access: Pick<Access, 'rolesThatGain'>,
  store: Pick<Store, 'read'>,
): Promise<void> {
  const mistakes: string[] = []
  for (const { name, table, isChosen } of model.entities.values()) {
    const key = tableKeyOf(table)
    const names = namesOfTable(key, kept)
    if (!isChosen || names.length === 0 || names.includes(name)) continue
    const rename = { path: '/graphql', names, newName: name }
    const roles = await store.read((connection) => access.rolesThatGain(rename, connection))
    if (roles.length > 0) mistakes.push(`names: ${openingDetail(key, name, roles)}`)
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
}

/** The current and former names of a table. */
export function namesOfTable(key: string, kept: GivenNames | undefined): readonly string[] {
  const given = kept?.tables[key]
  const owned = Object.entries(kept?.owned?.tables ?? {}).filter(([, owner]) => owner === key)
  return [...new Set([...(given === undefined ? [] : [given]), ...owned.map(([name]) => name)])]
}

/** Why a table must not have a name. */
export function openingDetail(key: string, name: string, roles: readonly string[]): string {
  const who = roles
    .slice(0, 10)
    .map((role) => `"${role}"`)
    .join(', ')
  const which = roles.length === 1 ? `The role ${who} allows` : `The roles ${who} allow`
  return `${which} /graphql/${name} and would get the ${describeTableKey(key)} by this name. Change what is allowed first, or choose another name.`
}
