/** The web front's own account at the gateway beside it, in `gatehouse up`. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { allowsManagement } from '../access/administration/role-warnings.ts'
import type { Actor } from '../access/caller.ts'
import { quote } from '../config/quote.ts'
import { AppError } from '../errors/app-error.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { GatewayCredentials } from '../web-front/gateway/gateway-client.ts'
import type { OwnAccountCall } from '../web-front/gateway/own-account-calls.ts'
import { writeForOwner } from './data-files.ts'

export interface FrontAccountParts {
  readonly gateway: Pick<Gateway, 'roles' | 'accounts'>
  /** Where its secrets are kept. */
  readonly file: string
  /** The calls that its role must allow. */
  readonly calls: readonly OwnAccountCall[]
  /** Roles of the accounts that the web front creates or changes. */
  readonly roles: readonly string[]
  /** Whether people log in with accounts of the gateway, with any role. */
  readonly takesGatewayAccounts: boolean
}

/** The path for getting tokens of other accounts. */
const tokensPath = '/manage/tokens'

/** The account, its role and the file of its secrets have the same name. */
const name = 'web-front'

const actor: Actor = { account: 'gatehouse up', rights: 'everything', address: '', requestId: '' }

const fileSchema = v.strictObject({
  username: v.string(),
  password: v.string(),
  api_key: v.string(),
  /** The paths that its role was given. Older files do not say which; they knew these two. */
  paths: v.optional(v.array(v.string()), [tokensPath, '/manage/accounts']),
})

/** What the file holds. */
interface KeptAccount {
  readonly credentials: GatewayCredentials
  readonly paths: readonly string[]
}

/** Where the secrets of the account are kept, in a data folder. */
export function frontAccountFile(dataFolder: string): string {
  return join(dataFolder, `${name}.json`)
}

/** How to get a working account again. */
export function howToRenew(file: string): string {
  return `To create it again, delete the account “${name}” and the file ${quote(file)}.`
}

/**
 * The credentials of the web front. The first call creates role, account and file; after that, administrators manage
 * them. A path that the role was never given, because the web front did not need it before, is added once: what an
 * administrator removed stays removed. Throws FRONT_ACCOUNT_UNUSABLE.
 */
export async function frontAccount(parts: FrontAccountParts): Promise<GatewayCredentials> {
  const text = await readIfThere(parts.file)
  if (text === undefined) return makeAccount(parts)
  const { credentials, paths } = readAccount(text, parts.file)
  const missing = parts.calls.filter(({ path }) => !paths.includes(path))
  if (missing.length > 0) {
    await widenRole(parts, missing)
    writeSecrets(parts.file, { credentials, paths: [...paths, ...missing.map(({ path }) => path)] })
  }
  await nameGivenRoles(parts)
  return credentials
}

async function widenRole({ gateway }: FrontAccountParts, calls: readonly OwnAccountCall[]): Promise<void> {
  try {
    const role = await gateway.roles.find(name)
    await gateway.roles.put(
      name,
      { ...role, authorities: [...role.authorities, ...authoritiesOf(calls)] },
      actor,
    )
  } catch (error) {
    // An administrator has deleted the role.
    if (!(error instanceof AppError && error.code === 'RECORD_NOT_FOUND')) throw error
  }
}

function authoritiesOf(calls: readonly OwnAccountCall[]) {
  return calls.map(({ method, path }) => ({ regex: path, methods: [method] }))
}

/** Earlier versions created the role without `gives`: it gets that of a new one. */
async function nameGivenRoles(parts: FrontAccountParts): Promise<void> {
  const { roles } = parts.gateway
  const gives = await givenRoles(parts)
  if (gives === undefined) return
  const role = (await roles.all()).find((candidate) => candidate.name === name)
  if (role === undefined || role.gives !== undefined) return
  const { authorities } = role
  await roles.put(name, { authorities, gives }, actor)
}

/**
 * The roles of the accounts that the web front gets tokens for: all, if people log in with accounts of the gateway;
 * otherwise the configured role, and existing roles without rights on management. Undefined if it gets none.
 */
async function givenRoles({
  gateway,
  roles,
  takesGatewayAccounts,
  calls,
}: FrontAccountParts): Promise<'*' | readonly string[] | undefined> {
  if (!calls.some(({ path }) => path === tokensPath)) return undefined
  if (takesGatewayAccounts) return '*'
  const harmless = (await gateway.roles.all()).filter((role) => !allowsManagement(role))
  const names = harmless.map((role) => role.name)
  return [...new Set([...names, ...roles])]
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function readAccount(text: string, file: string): KeptAccount {
  try {
    const { username, password, api_key: apiKey, paths } = v.parse(fileSchema, JSON.parse(text))
    return { credentials: { username, password, apiKey }, paths }
  } catch (cause) {
    throw unusable(`${quote(file)} does not hold the secrets of the account “${name}”.`, cause)
  }
}

async function makeAccount(parts: FrontAccountParts): Promise<GatewayCredentials> {
  const { gateway, file, calls } = parts
  const gives = await givenRoles(parts)
  await unlessTaken(
    gateway.roles.create({ name, authorities: authoritiesOf(calls), ...(gives && { gives }) }, actor),
  )
  const password = randomBytes(32).toString('base64url')
  const account = await unlessTaken(gateway.accounts.create({ username: name, password, role: name }, actor))
  if (account === undefined) {
    throw unusable(`There is an account “${name}” already, but ${quote(file)} with its secrets is missing.`)
  }
  const credentials = { username: name, password, apiKey: account.api_key }
  try {
    writeSecrets(file, { credentials, paths: calls.map(({ path }) => path) })
  } catch (error) {
    await gateway.accounts.remove(name, actor)
    throw error
  }
  return credentials
}

/** The result of a creation; undefined if the name is taken. */
async function unlessTaken<Made>(creation: Promise<Made>): Promise<Made | undefined> {
  try {
    return await creation
  } catch (error) {
    if (error instanceof AppError && error.code === 'NAME_TAKEN') return undefined
    throw error
  }
}

function writeSecrets(file: string, { credentials, paths }: KeptAccount): void {
  const { username, password, apiKey } = credentials
  writeForOwner(file, `${JSON.stringify({ username, password, api_key: apiKey, paths }, undefined, 2)}\n`)
}

function unusable(detail: string, cause?: unknown): AppError {
  return new AppError('FRONT_ACCOUNT_UNUSABLE', { detail, cause })
}
