/** Declarations that `gatehouse up` applies to its own gateway, before the web front needs their roles. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Actor } from '../access/caller.ts'
import { AdminFailure } from '../admin/admin-failure.ts'
import { carryOutPlan, type MadeAccount } from '../admin/declarations/carry-out-plan.ts'
import { planDeclarations } from '../admin/declarations/plan-declarations.ts'
import { failureLines, madeAccountText } from '../admin/declarations/plan-text.ts'
import { readDeclarations } from '../admin/declarations/read-declarations.ts'
import { type ManagementSettings, withManagement } from '../admin/management-client.ts'
import { ConfigError } from '../config/config-error.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Invocation } from './command.ts'
import { readDeclarationFiles } from './declaration-files.ts'

/** What came of applying the declarations. */
export interface AppliedAtStart {
  /** How many records were created or changed. */
  readonly done: number
  /** New accounts with their secrets, which are shown only once. */
  readonly accounts: readonly string[]
  /** Why something was not applied, line by line. */
  readonly problems: readonly string[]
}

type Declared = ReturnType<typeof readDeclarations>['declarations']

/** The declarations in files and folders. Throws `ConfigError` with all mistakes. */
export function declarationsToApply(paths: readonly string[], { readText }: Invocation): Declared {
  try {
    const { declarations, mistakes } = readDeclarations(
      paths.flatMap((path) => readDeclarationFiles(path, readText)),
    )
    if (mistakes.length > 0) throw new AdminFailure(mistakes)
    return declarations
  } catch (error) {
    if (error instanceof AdminFailure) throw new ConfigError(error.lines.map((line) => `apply: ${line}`))
    throw error
  }
}

const actor: Actor = { account: 'gatehouse up', rights: 'everything', address: '', requestId: '' }

type ApplyingGateway = Pick<Gateway, 'roles' | 'accounts'>

/** Applies declarations with an account that exists for this only, and that is never the last administrator. */
export async function applyAtStart(
  declarations: Declared,
  gateway: ApplyingGateway,
  address: string,
  { readText, environment }: Invocation,
): Promise<AppliedAtStart> {
  const accounts: string[] = []
  try {
    return await withTemporaryAccount(gateway, (credentials) =>
      withManagement({ url: address, ...credentials }, async (client) => {
        const sources = { environment, readText }
        const { plan, mistakes } = await planDeclarations(declarations, client, sources)
        if (mistakes.length > 0) throw new AdminFailure(mistakes)
        const accountMade = (account: MadeAccount) => accounts.push(madeAccountText(account))
        const outcome = await carryOutPlan(plan, client, { randomBytes, accountMade, progress: () => {} })
        return { done: outcome.done.length, accounts, problems: failureLines(outcome) }
      }),
    )
  } catch (error) {
    if (!(error instanceof AdminFailure)) throw error
    return { done: 0, accounts, problems: error.lines }
  }
}

async function withTemporaryAccount<Result>(
  { roles, accounts }: ApplyingGateway,
  work: (credentials: Omit<ManagementSettings, 'url'>) => Promise<Result>,
): Promise<Result> {
  const name = `apply-at-start-${randomUUID()}`
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  await roles.create({ name, authorities: [{ regex: '.*', methods }], gives: '*' }, actor)
  try {
    const password = randomBytes(32).toString('base64url')
    const document = { username: name, password, role: name, expire_days: 1 }
    const { api_key: apiKey } = await accounts.create(document, actor)
    try {
      return await work({ username: name, password, apiKey })
    } finally {
      await accounts.remove(name, actor)
    }
  } finally {
    await roles.remove(name, actor)
  }
}
