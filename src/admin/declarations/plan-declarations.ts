/** Compares what files declare with what a gateway has. Changes nothing. */
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { AdminFailure } from '../admin-failure.ts'
import { readProblem } from '../describe-problem.ts'
import { readEntityPlan } from '../entity-plan.ts'
import { AdminRefusal, type ManagementClient, recordPath } from '../management-client.ts'
import type { Declarations, Declared } from './declaration.ts'
import type { PlannedAccount, PlannedRecord } from './declaration-plan.ts'
import { type PasswordSources, readPassword } from './read-password.ts'

/** The changes, in order, and all reasons why they cannot be made. */
export interface DeclarationPlanning {
  readonly plan: readonly PlannedRecord[]
  /** One line each, with its location. */
  readonly mistakes: readonly string[]
}

/** Reads from the gateway only the kinds of records that are declared. */
export async function planDeclarations(
  declarations: Declarations,
  client: ManagementClient,
  sources: PasswordSources,
): Promise<DeclarationPlanning> {
  const mistakes: string[] = []
  const { entities, roles, roleNames, accounts, routes } = declarations
  const listOf = async (kind: string, isNeeded: boolean) =>
    isNeeded ? readRecords(await client.call('GET', recordPath(kind))) : new Map<string, KnownRecord>()
  const knownRoles = await listOf('roles', roles.length > 0 || accounts.length > 0)
  const knownAccounts = await listOf('accounts', accounts.length > 0)
  const knownRoutes = await listOf('routes', routes.length > 0)

  const allRoleNames = new Set([...knownRoles.keys(), ...roleNames])
  mistakes.push(...roles.flatMap((role) => unknownGiven(role, allRoleNames)))
  const plannedEntities = await planEntities(entities, client, mistakes)
  const plan: PlannedRecord[] = [
    ...plannedEntities,
    ...(await planRoles(givenFirst(roles), knownRoles, client)),
    ...accounts.map((account) => {
      mistakes.push(...unknownRoles(account, allRoleNames))
      return planAccount(account, knownAccounts.get(account.name), sources, mistakes)
    }),
    ...routes.map(({ name, content }) => ({
      kind: 'route' as const,
      name,
      content,
      ...difference(content, knownRoutes.get(name)),
    })),
  ]
  return { plan, mistakes }
}

type KnownRecord = Readonly<Record<string, unknown>>

const recordsSchema = v.array(
  v.looseObject({ name: v.optional(v.string()), username: v.optional(v.string()) }),
)

function readRecords(document: unknown): ReadonlyMap<string, KnownRecord> {
  const reading = v.safeParse(recordsSchema, document)
  if (!reading.success)
    throw new AdminFailure(['The gateway lists its records in a form that this program does not know.'])
  return new Map(reading.output.map((record) => [record.username ?? record.name ?? '', record]))
}

/** The keys in which a record differs from the existing one. */
function difference(
  wanted: object,
  known: KnownRecord | undefined,
): { readonly action: PlannedRecord['action']; readonly differs: readonly string[] } {
  if (known === undefined) return { action: 'create', differs: [] }
  const keys = new Set([...Object.keys(wanted), ...Object.keys(known)])
  const all: Readonly<Record<string, unknown>> = { ...wanted }
  const differs = [...keys].filter((key) => !isDeepStrictEqual(asJson(all[key]), asJson(known[key])))
  return { action: differs.length === 0 ? 'none' : 'change', differs }
}

function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

async function planRoles(
  roles: Declarations['roles'],
  known: ReadonlyMap<string, KnownRecord>,
  client: ManagementClient,
): Promise<readonly PlannedRecord[]> {
  const planned: PlannedRecord[] = []
  for (const { name, content } of roles) {
    const differing = difference(content, known.get(name))
    const warnings = differing.action === 'none' ? [] : await warningsOf(content, client)
    planned.push({ kind: 'role', name, content, ...differing, warnings })
  }
  return planned
}

const warnedSchema = v.object({ warnings: v.optional(v.array(v.string()), []) })

/** What the gateway warns of in a role; nothing if it refuses the role, perhaps because it lacks what the plan makes first. */
async function warningsOf(
  { name, ...content }: Declarations['roles'][number]['content'],
  client: ManagementClient,
): Promise<readonly string[]> {
  try {
    const path = `${recordPath('roles', name)}?dry_run=true`
    const reading = v.safeParse(warnedSchema, await client.call('PUT', path, content))
    return reading.success ? reading.output.warnings : []
  } catch (error) {
    if (error instanceof AdminRefusal) return []
    throw error
  }
}

/** Only the declared members of an account are compared. */
function planAccount(
  declared: Declarations['accounts'][number],
  known: KnownRecord | undefined,
  sources: PasswordSources,
  mistakes: string[],
): PlannedAccount {
  const { password: _text, password_file: _file, password_env: _variable, ...given } = declared.content
  const content = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as typeof given
  const base = { kind: 'account', name: declared.name, content } as const
  if (known === undefined) {
    const reading = readPassword(declared, sources)
    if ('mistake' in reading) mistakes.push(reading.mistake)
    const password = 'mistake' in reading ? undefined : reading.password
    return { ...base, action: 'create', differs: [], password }
  }
  const wanted = { ...content, role: namesOf(content.role) }
  const found = Object.fromEntries(Object.keys(content).map((key) => [key, known[key] ?? null]))
  return { ...base, ...difference(wanted, { ...found, role: namesOf(known.role) }), password: undefined }
}

/** The gateway accepts a role with `gives` only if the given roles exist. */
function givenFirst(roles: Declarations['roles']): Declarations['roles'] {
  const byName = new Map(roles.map((role) => [role.name, role]))
  const ordered = new Set<Declarations['roles'][number]>()
  const visiting = new Set<string>()
  const visit = (role: Declarations['roles'][number]) => {
    if (visiting.has(role.name)) return
    visiting.add(role.name)
    for (const given of givenBy(role)) {
      const declared = byName.get(given)
      if (declared !== undefined) visit(declared)
    }
    ordered.add(role)
  }
  for (const role of roles) visit(role)
  return [...ordered]
}

function givenBy({ content: { gives = [] } }: Declarations['roles'][number]): readonly string[] {
  return gives === '*' ? [] : gives
}

function unknownGiven(
  role: Declarations['roles'][number],
  roleNames: ReadonlySet<string>,
): readonly string[] {
  return givenBy(role).flatMap((name, index) =>
    roleNames.has(name)
      ? []
      : [
          `${role.placeOf(`/gives/${index}`)}: There is no role named "${name}", neither here nor at the gateway.`,
        ],
  )
}

function namesOf(role: unknown): readonly unknown[] {
  return Array.isArray(role) ? [...new Set(role)] : [role]
}

function unknownRoles(
  { content: { role }, placeOf }: Declarations['accounts'][number],
  roleNames: ReadonlySet<string>,
): readonly string[] {
  const places: readonly (readonly [name: string, pointer: string])[] =
    typeof role === 'string' ? [[role, '/role']] : role.map((name, index) => [name, `/role/${index}`])
  return places
    .filter(([name]) => !roleNames.has(name))
    .map(
      ([name, pointer]) =>
        `${placeOf(pointer)}: There is no role named "${name}", neither here nor at the gateway.`,
    )
}

/** Asks the gateway what an upload would do; the result is in the order of the gateway's plan. */
async function planEntities(
  entities: readonly Declared<unknown>[],
  client: ManagementClient,
  mistakes: string[],
): Promise<readonly PlannedRecord[]> {
  if (entities.length === 0) return []
  const definitions = entities.map(({ content }) => content)
  const known = readRecords(await client.call('GET', recordPath('entities')))
  try {
    const response = await client.call('POST', `${recordPath('entities')}?dry_run=true`, definitions)
    const planned = readEntityPlan(response)
    mistakes.push(
      ...planned.problems.map(({ pointer, detail }) => `${placeIn(entities, pointer)}: ${detail}`),
    )
    return planned.entities.map(({ name, renamed_from, steps }) => {
      const changes = steps.filter(({ kind }) => kind !== 'none')
      const isThere = known.has(renamed_from ?? name)
      return {
        kind: 'entity',
        name,
        content: entities.find((entity) => entity.name === name)?.content,
        action: !isThere ? 'create' : changes.length === 0 ? 'none' : 'change',
        differs: changes.map(({ description }) => description),
      }
    })
  } catch (error) {
    const errors = error instanceof AdminRefusal ? (readProblem(error.document)?.errors ?? []) : []
    if (errors.length === 0) throw error
    mistakes.push(...errors.map(({ pointer, detail }) => `${placeIn(entities, pointer)}: ${detail}`))
    return []
  }
}

/** The location of a part of the list of definitions. */
function placeIn(entities: readonly Declared<unknown>[], pointer: string): string {
  const [, index = '', rest = ''] = /^\/(\d+)(.*)$/s.exec(pointer) ?? []
  return entities[Number(index)]?.placeOf(rest) ?? 'The entities'
}
