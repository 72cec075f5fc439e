/** What a change of a role would open and close, and for how many accounts. Nothing is changed. */
import { TimeSlices } from '../../util/time-slices.ts'
import type { AccessSnapshot } from '../access-directory.ts'
import { isRecordPath } from '../authorization/authorize.ts'
import type { AccountAttributes } from '../authorization/record-conditions.ts'
import type { CompiledRole } from '../authorization/role.ts'

/** A change of a role that is not done yet. */
export interface RoleChange {
  readonly before: CompiledRole | undefined
  readonly after: CompiledRole
  readonly snapshot: AccessSnapshot
  /** All values of an account that conditions may name; undefined if there is none. */
  attributesOf(username: string): Promise<AccountAttributes | undefined>
}

/** A call of the gateway that is there. */
export interface KnownCall {
  readonly method: string
  readonly path: string
  /** Whether it stands for every path one segment below: the records of a list. */
  readonly isBelow: boolean
}

/** A call that a change opens or closes. */
interface ChangedCall {
  readonly method: string
  /** `/apis/ports/*` is some path one segment below. */
  readonly path: string
  /** How many accounts may make it because of the change, or no longer. */
  readonly accounts: number
}

/** The effects of a change. */
export interface RoleEffects {
  /** How many accounts have the role. */
  readonly accounts: number
  readonly opens: readonly ChangedCall[]
  readonly closes: readonly ChangedCall[]
  /** Whether there are more calls than are listed. */
  readonly truncated: boolean
}

/** How many calls are listed at most. */
const mostCalls = 500

/** The effects of a change of a role, in time slices. */
export async function roleEffects(
  { before, after, snapshot: { accounts } }: Omit<RoleChange, 'attributesOf'>,
  calls: Iterable<KnownCall>,
): Promise<RoleEffects> {
  const slices = new TimeSlices()
  const holders = await holdersOf(after.name, accounts, slices)
  const opens: ChangedCall[] = []
  const closes: ChangedCall[] = []
  let truncated = false
  for (const call of calls) {
    if (slices.isOver) await slices.next()
    const was = before !== undefined && allows(before, call)
    const is = allows(after, call)
    if (was === is) continue
    if (opens.length + closes.length >= mostCalls) {
      truncated = true
      break
    }
    let count = 0
    for (const { others, size } of holders) {
      if (slices.isOver) await slices.next()
      if (!others.some((role) => allows(role, call))) count += size
    }
    const changed = {
      method: call.method,
      path: call.isBelow ? `${call.path}/*` : call.path,
      accounts: count,
    }
    if (is) opens.push(changed)
    else closes.push(changed)
  }
  return { accounts: holders.reduce((sum, { size }) => sum + size, 0), opens, closes, truncated }
}

/** Accounts with the same roles besides one. */
interface Holders {
  readonly others: readonly CompiledRole[]
  size: number
}

async function holdersOf(
  name: string,
  accounts: AccessSnapshot['accounts'],
  slices: TimeSlices,
): Promise<readonly Holders[]> {
  const byRoles = new Map<string, Holders>()
  for (const { roles } of accounts.values()) {
    if (slices.isOver) await slices.next()
    if (!roles.some((role) => role.name === name)) continue
    const others = roles.filter((role) => role.name !== name)
    const key = JSON.stringify(others.map((role) => role.name).sort())
    const known = byRoles.get(key)
    if (known === undefined) byRoles.set(key, { others, size: 1 })
    else known.size += 1
  }
  return [...byRoles.values()]
}

function allows(role: CompiledRole, { method, path, isBelow }: KnownCall): boolean {
  const allowances = isRecordPath(path) ? role.onRecords : role
  return isBelow ? allowances.allowsBelow(method, path) : allowances.allows(method, path)
}
