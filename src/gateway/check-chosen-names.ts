/** Checks chosen names before they are used. */
import type { Access } from '../access/access.ts'
import type { Gainers } from '../access/administration/who-gains.ts'
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

/** Throws `ConfigError` if a name in the configuration would give more people access to a table. */
export async function refuseOpening(
  { model, kept }: SchemaNames,
  access: Pick<Access, 'whoGains'>,
  store: Pick<Store, 'read'>,
): Promise<void> {
  const mistakes: string[] = []
  for (const { name, table, isChosen } of model.entities.values()) {
    const key = tableKeyOf(table)
    const names = namesOfTable(key, kept)
    if (!isChosen || names.length === 0 || names.includes(name)) continue
    const rename = { path: '/graphql', names, newName: name }
    const detail = openingDetail(
      key,
      name,
      await store.read((connection) => access.whoGains(rename, connection)),
    )
    if (detail !== undefined) mistakes.push(`names: ${detail}`)
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
}

/** The current and former names of a table. */
export function namesOfTable(key: string, kept: GivenNames | undefined): readonly string[] {
  const given = kept?.tables[key]
  const owned = Object.entries(kept?.owned?.tables ?? {}).filter(([, owner]) => owner === key)
  return [...new Set([...(given === undefined ? [] : [given]), ...owned.map(([name]) => name)])]
}

/** Why a table must not have a name; undefined if no one gains access to it. */
export function openingDetail(key: string, name: string, { roles, routes }: Gainers): string | undefined {
  if (roles.length + routes.length === 0) return undefined
  const who = [...sentencePart('role', roles), ...sentencePart('public route', routes)].join(' and the ')
  const isOne = roles.length + routes.length === 1
  return `The ${who} ${isOne ? 'allows' : 'allow'} /graphql/${name} and would get the ${describeTableKey(key)} by this name. Change what is allowed first, or choose another name.`
}

function sentencePart(kind: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  const quoted = names.slice(0, 10).map((name) => `"${name}"`)
  return [`${kind}${names.length === 1 ? '' : 's'} ${quoted.join(', ')}`]
}
