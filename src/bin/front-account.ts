/** The account at the gateway that the web front beside it has for itself, in `gatehouse up`. */
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { quote } from '../config/quote.ts'
import { AppError } from '../errors/app-error.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { GatewayCredentials } from '../web-front/gateway/gateway-client.ts'

export interface FrontAccountParts {
  readonly gateway: Pick<Gateway, 'roles' | 'accounts'>
  /** Where its secrets are kept. */
  readonly file: string
  /** Whether the web front makes accounts for people who log in for the first time. */
  readonly makesAccounts: boolean
}

/** The account, its role and the file of its secrets have one name. */
const name = 'web-front'

const actor = { account: 'gatehouse up', address: '', requestId: '' }

const fileSchema = v.strictObject({ username: v.string(), password: v.string(), api_key: v.string() })

/** Where the secrets of the account are kept, in a data folder. */
export function frontAccountFile(dataFolder: string): string {
  return join(dataFolder, `${name}.json`)
}

/** How an account is had that does again. */
export function howToRenew(file: string): string {
  return `To have it made anew, delete the account “${name}” and the file ${quote(file)}.`
}

/**
 * What the web front logs on with. The first time, its role and account are made, and the file; from then on
 * they are an administrator's, and nothing of them is changed. Throws FRONT_ACCOUNT_UNUSABLE.
 */
export async function frontAccount(parts: FrontAccountParts): Promise<GatewayCredentials> {
  const text = await readIfThere(parts.file)
  return text === undefined ? makeAccount(parts) : readCredentials(text, parts.file)
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function readCredentials(text: string, file: string): GatewayCredentials {
  try {
    const { username, password, api_key: apiKey } = v.parse(fileSchema, JSON.parse(text))
    return { username, password, apiKey }
  } catch (cause) {
    throw unusable(`${quote(file)} does not hold the secrets of the account “${name}”.`, cause)
  }
}

async function makeAccount(parts: FrontAccountParts): Promise<GatewayCredentials> {
  const { gateway, file, makesAccounts } = parts
  const paths = ['/manage/tokens', ...(makesAccounts ? ['/manage/accounts'] : [])]
  const authorities = paths.map((regex) => ({ regex, methods: ['POST'] }))
  await unlessTaken(gateway.roles.create({ name, authorities }, actor))
  const password = randomBytes(32).toString('base64url')
  const account = await unlessTaken(gateway.accounts.create({ username: name, password, role: name }, actor))
  if (account === undefined) {
    throw unusable(`There is an account “${name}” already, and ${quote(file)} with its secrets is not there.`)
  }
  const credentials = { username: name, password, apiKey: account.api_key }
  try {
    await writeSecrets(file, credentials)
  } catch (error) {
    await gateway.accounts.remove(name, actor)
    throw error
  }
  return credentials
}

/** What a creation gives; undefined where the name is taken. */
async function unlessTaken<Made>(creation: Promise<Made>): Promise<Made | undefined> {
  try {
    return await creation
  } catch (error) {
    if (error instanceof AppError && error.code === 'NAME_TAKEN') return undefined
    throw error
  }
}

/** All at once, so that a start that is cut off leaves no half of it. */
async function writeSecrets(file: string, { username, password, apiKey }: GatewayCredentials): Promise<void> {
  const text = `${JSON.stringify({ username, password, api_key: apiKey }, undefined, 2)}\n`
  const fresh = `${file}.new`
  await writeFile(fresh, text, { mode: 0o600 })
  await rename(fresh, file)
}

function unusable(detail: string, cause?: unknown): AppError {
  return new AppError('FRONT_ACCOUNT_UNUSABLE', { detail, cause })
}
