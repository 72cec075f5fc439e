import { appendFileSync, chmodSync, closeSync, openSync } from 'node:fs'
import { AdminFailure } from '../admin/admin-failure.ts'
import type { MadeAccount } from '../admin/declarations/carry-out-plan.ts'
import { quote } from '../config/quote.ts'

/**
 * Opens a file for the keys of new accounts, one line of JSON each, readable only by its owner. Throws `AdminFailure` at
 * once if it cannot be written. The returned function appends an account, and says whether that succeeded.
 */
export function openKeysFile(path: string): (account: MadeAccount) => boolean {
  try {
    closeSync(openSync(path, 'a', 0o600))
    chmodSync(path, 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new AdminFailure([`The file ${quote(path)} cannot be written (${code}).`], error)
  }
  return (account) => {
    try {
      appendFileSync(path, `${JSON.stringify(account)}\n`)
      return true
    } catch {
      return false
    }
  }
}
