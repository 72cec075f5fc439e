/**
 * What a change of a role opens and closes of records: for some accounts that have it, or for one that is named as if it
 * had it, with all their other roles and what is public. Nothing is changed.
 *
 * Rows are counted for a caller who may read the whole table itself, because numbers would tell of rows that it does not
 * reach; and the values of an account count for one who may see the account.
 */

import type { KnownAccount } from '../../access/access-directory.ts'
import { missingRecord } from '../../access/administration/audited-change.ts'
import type { RoleChange } from '../../access/administration/role-effects.ts'
import type { PublicRoutes } from '../../access/authorization/api-routes.ts'
import type { CompiledAuthority } from '../../access/authorization/authority.ts'
import { graphqlPath, isAllowed } from '../../access/authorization/authorize.ts'
import { partMethod } from '../../access/authorization/part-rights.ts'
import {
  type AccountAttributes,
  conditionsKey,
  type RecordConditions,
} from '../../access/authorization/record-conditions.ts'
import type { CompiledRole } from '../../access/authorization/role.ts'
import { normalizeName } from '../../access/name.ts'
import type { Database } from '../../database/dialect.ts'
import { AppError } from '../../errors/app-error.ts'
import type { CancellationToken } from '../../util/cancellation-token.ts'
import { TimeLimit } from '../../util/time-limit.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import type { ServedSchema } from '../served-schema.ts'
import { type EntityPaths, entityPaths } from './condition-entities.ts'
import { type ChangedRows, countChangedRows } from './count-changed-rows.ts'
import type { Granting } from './grants.ts'
import { allowing, allowingPart, allowingSomewhere, type RightsHolder } from './rights-holder.ts'
import { RuleTables } from './rule-tables.ts'

/** What changes for an account that calls a method on the records of an entity. */
interface RecordEffect extends Partial<ChangedRows> {
  readonly entity: string
  /** Null for one that has this role only, and none of the values that conditions name. */
  readonly account: string | null
  /** `GET` is reading, by a published API or GraphQL. */
  readonly method: RecordMethod
  /** Whether `opens`, `closes` and `fields` are there. */
  readonly counted: boolean
}

export interface RecordEffects {
  readonly records: readonly RecordEffect[]
  /** Whether there are more. */
  readonly records_truncated: boolean
}

interface RecordEffectParts {
  readonly database: Database
  readonly served: () => ServedSchema
  readonly now: () => Date
}

/** Who asks. */
export interface EffectsAsker {
  readonly roles: readonly CompiledRole[]
  readonly cancellation: CancellationToken | undefined
}

const recordMethods = ['GET', 'PUT', 'PATCH', 'DELETE'] as const
type RecordMethod = (typeof recordMethods)[number]

/** How many accounts are looked at if none is named. */
const mostAccounts = 3
const mostEffects = 100
/** How long one answer may be looked for, and how long of that the database may count, in milliseconds. */
const [lookingMs, countingMs] = [5000, 2000]

/**
 * The effects. Throws ROLE_NOT_ALLOWED if the caller may not see the account that it names, RECORD_NOT_FOUND if there is
 * no such account.
 */
export async function recordEffects(
  { before, after, snapshot, attributesOf }: RoleChange,
  named: string | undefined,
  asker: EffectsAsker,
  { database, served, now }: RecordEffectParts,
): Promise<RecordEffects> {
  const schema = served()
  const tables = new RuleTables(schema)
  const slices = new TimeSlices()
  const looking = new TimeLimit(lookingMs, asker.cancellation)
  const counting = new TimeLimit(countingMs, asker.cancellation)
  const areAlike = comparison()
  const subjects = await subjectsOf({ before, after, snapshot, attributesOf }, named, asker)
  const differing = differingAuthorities(before, after)
  const records: RecordEffect[] = []
  for (const paths of entityPaths(schema)) {
    for (const method of recordMethods) {
      if (slices.isOver) await slices.next()
      if (looking.isCancelled) return { records, records_truncated: true }
      const given = (roles: readonly (CompiledRole | undefined)[], publicRoutes?: PublicRoutes) =>
        givenBy(
          holderOf(
            publicRoutes,
            roles.filter((role) => role !== undefined),
          ),
          method,
          paths,
          tables,
        )
      if (given([differing]).length === 0) continue
      const [old, current] = [given([before]), given([after])]
      if (areAlike(old, current)) continue
      for (const { attributes, others } of subjects) {
        if (slices.isOver) await slices.next()
        const known = given(others, snapshot.apiRoutes)
        const change = {
          table: paths.entity.table,
          before: [...known, ...old],
          after: [...known, ...current],
          method,
        }
        if (areAlike(change.before, change.after)) continue
        if (records.length === mostEffects) return { records, records_truncated: true }
        const isSeen = readsAll(holderOf(snapshot.apiRoutes, asker.roles), paths, tables)
        const caller = { account: { ...attributes }, now: now() }
        const context = { tables, dialect: database.dialect, caller }
        const rows =
          isSeen && !counting.isCancelled
            ? await countChangedRows(change, context, database, counting)
            : undefined
        const told = { entity: paths.entity.name, account: attributes?.username ?? null, method }
        records.push({ ...told, counted: rows !== undefined, ...rows })
      }
    }
  }
  return { records, records_truncated: false }
}

/** A role with the authorities that only one of two roles has: where none of them matches, nothing changes. */
function differingAuthorities(before: CompiledRole | undefined, after: CompiledRole): CompiledRole {
  const keyOf = ({ regex, methods, conditions }: CompiledAuthority) =>
    JSON.stringify([regex, methods, conditionsKey(conditions)])
  const byKey = (role: CompiledRole | undefined) =>
    new Map(role?.authorities.map((authority) => [keyOf(authority), authority]))
  const [old, current] = [byKey(before), byKey(after)]
  const only = (some: typeof old, others: typeof old) =>
    [...some].flatMap(([key, authority]) => (others.has(key) ? [] : [authority]))
  return { ...after, authorities: [...only(old, current), ...only(current, old)] }
}

/** An account, and its roles besides the one that changes. */
interface Subject {
  readonly attributes: AccountAttributes | undefined
  readonly others: readonly CompiledRole[]
}

async function subjectsOf(
  { after: { name: role }, snapshot: { accounts }, attributesOf }: RoleChange,
  named: string | undefined,
  { roles }: EffectsAsker,
): Promise<readonly Subject[]> {
  const maySee = ({ username }: Pick<KnownAccount, 'username'>) =>
    isAllowed(roles, 'GET', `/manage/accounts/${username}`)
  const subjectOf = async (account: KnownAccount): Promise<Subject> => {
    const others = account.roles.filter(({ name }) => name !== role)
    const attributes = await attributesOf(account.username)
    const isHolder = others.length < account.roles.length
    return {
      attributes: attributes && {
        ...attributes,
        roles: isHolder ? attributes.roles : [...attributes.roles, role],
      },
      others,
    }
  }
  if (named !== undefined) {
    const username = normalizeName(named)
    if (!maySee({ username })) throw new AppError('ROLE_NOT_ALLOWED')
    const account = accounts.get(username)
    if (account === undefined) throw missingRecord('account', username)
    return [await subjectOf(account)]
  }
  const slices = new TimeSlices()
  const found: KnownAccount[] = []
  for (const account of accounts.values()) {
    if (slices.isOver) await slices.next()
    if (account.roles.some(({ name }) => name === role) && maySee(account)) found.push(account)
  }
  const first = found.sort((a, b) => (a.username < b.username ? -1 : 1)).slice(0, mostAccounts)
  return first.length === 0 ? [{ attributes: undefined, others: [] }] : Promise.all(first.map(subjectOf))
}

function holderOf(publicRoutes: PublicRoutes | undefined, roles: readonly CompiledRole[]): RightsHolder {
  return { caller: { roles, attributes: { username: '', roles: [], metadata: {} } }, publicRoutes }
}

/** What gives a method on records of an entity. An authority for one record counts as one for all. */
function givenBy(
  holder: RightsHolder,
  method: RecordMethod,
  { entity, list }: EntityPaths,
  tables: RuleTables,
): readonly Granting[] {
  const inApi = list === undefined ? [] : allowingSomewhere(holder, [method], list)
  if (method !== 'GET') return inApi
  const names = [entity.name, ...tables.earlierNamesOf(entity.name)]
  const inGraphql = [
    ...allowing(holder, partMethod, graphqlPath),
    ...names.flatMap((name) => allowingPart(holder, name)),
  ]
  return [...new Set([...inApi, ...inGraphql])]
}

/** Whether a caller reads the whole table, by the list of its API or by GraphQL. */
function readsAll(holder: RightsHolder, { entity, list }: EntityPaths, tables: RuleTables): boolean {
  const names = [entity.name, ...tables.earlierNamesOf(entity.name)]
  return [
    ...(list === undefined ? [] : allowing(holder, 'GET', list)),
    ...allowing(holder, partMethod, graphqlPath),
    ...names.flatMap((name) => allowingPart(holder, name)),
  ].some(({ conditions }) => conditions === undefined)
}

/** Compares what gives something. Conditions are compared by a text, which is made once for each. */
function comparison(): (some: readonly Granting[], others: readonly Granting[]) => boolean {
  const texts = new WeakMap<RecordConditions, string>()
  const textOf = ({ conditions }: Granting): string => {
    const known = conditions && texts.get(conditions)
    if (known !== undefined) return known
    const text = conditionsKey(conditions)
    if (conditions !== undefined) texts.set(conditions, text)
    return text
  }
  const everything = conditionsKey(undefined)
  return (some, others) => {
    const [texts, otherTexts] = [new Set(some.map(textOf)), new Set(others.map(textOf))]
    if (texts.has(everything) && otherTexts.has(everything)) return true
    return texts.size === otherTexts.size && texts.isSubsetOf(otherTexts)
  }
}
