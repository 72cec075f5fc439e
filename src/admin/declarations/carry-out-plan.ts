import type { RandomSource } from '../../util/random-source.ts'
import { AdminFailure } from '../admin-failure.ts'
import { makePassword } from '../make-password.ts'
import { type ManagementClient, recordPath } from '../management-client.ts'
import { printable } from '../printable.ts'
import type { PlannedAccount, PlannedRecord } from './declaration-plan.ts'

/** A new account, with secrets that are shown only once. */
export interface MadeAccount {
  readonly username: string
  /** Absent when it was declared. */
  readonly password?: string
  readonly api_key: string
}

/** How far a plan came. */
export interface Outcome {
  readonly done: readonly PlannedRecord[]
  readonly left: readonly PlannedRecord[]
  /** What stopped it; undefined when all is done. */
  readonly failure: AdminFailure | undefined
}

interface Surroundings {
  readonly randomBytes: RandomSource
  readonly accountMade: (account: MadeAccount) => void
  readonly progress: (text: string) => void
}

/**
 * Carries out a plan: all entities in one upload, then one record after the other, until one fails. Calls `accountMade`
 * for each new account at once, and `progress` before each step.
 */
export async function carryOutPlan(
  plan: readonly PlannedRecord[],
  client: ManagementClient,
  { randomBytes, accountMade, progress }: Surroundings,
): Promise<Outcome> {
  const entities = plan.filter(({ kind }) => kind === 'entity')
  const changes = plan.filter(({ action }) => action !== 'none')
  const uploads = changes.filter(({ kind }) => kind === 'entity')
  const done: PlannedRecord[] = []
  try {
    if (uploads.length > 0) {
      progress(`${stepOf(done, changes)}uploading ${uploads.length} entities`)
      await client.call(
        'POST',
        recordPath('entities'),
        entities.map(({ content }) => content),
      )
      done.push(...uploads)
    }
    for (const change of changes.filter(({ kind }) => kind !== 'entity')) {
      progress(`${stepOf(done, changes)}${change.kind} ${printable(change.name)}`)
      if (change.kind === 'account' && change.action === 'create') {
        accountMade(await makeAccount(change, client, randomBytes))
      } else await write(change, client)
      done.push(change)
    }
    return { done, left: [], failure: undefined }
  } catch (error) {
    if (!(error instanceof AdminFailure)) throw error
    return { done, left: changes.filter((change) => !done.includes(change)), failure: error }
  }
}

function stepOf({ length }: readonly unknown[], all: readonly unknown[]): string {
  return `${length + 1} of ${all.length}: `
}

async function makeAccount(
  { name, content, password: declared }: PlannedAccount,
  client: ManagementClient,
  randomBytes: RandomSource,
): Promise<MadeAccount> {
  const password = declared ?? makePassword(randomBytes)
  const response = await client.call('POST', recordPath('accounts'), { ...content, password })
  const { api_key } = response as { readonly api_key: string }
  return { username: name, ...(declared === undefined ? { password } : {}), api_key }
}

async function write(record: PlannedRecord, client: ManagementClient): Promise<void> {
  const { kind, name, action, content } = record
  if (kind === 'account') {
    // Only what differs: a lifetime that is sent again would restart.
    const changes = Object.fromEntries(
      Object.entries(record.content).filter(([key]) => record.differs.includes(key)),
    )
    await client.call('PATCH', recordPath('accounts', name), changes)
    return
  }
  const collection = kind === 'route' ? 'routes' : 'roles'
  if (action === 'create') await client.call('POST', recordPath(collection), content)
  else await client.call('PUT', recordPath(collection, name), content)
}
