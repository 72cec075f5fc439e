import type { StoredAccount } from '../../store/account-store.ts'
import type { PasskeyProof } from './passkeys/passkey-proof.ts'

/** The credentials to check. */
export interface Proof {
  readonly username: string
  readonly password: string
  /** In place of the password: that it was right. */
  readonly challenge?: string | undefined
  /** In place of password and second factor. */
  readonly passkey?: PasskeyProof
  /** Absent if none is asked for. */
  readonly secondFactor?: { readonly code: string | undefined } | undefined
  readonly address: string
  /** Undefined if no API key is required. */
  readonly keyHash: string | undefined
  readonly browsers: readonly string[]
}

/** An authenticated account, and the known browser, if any. */
export interface Proved {
  readonly account: StoredAccount
  readonly browser: string | undefined
  /** Whether the store has space for new records. */
  readonly canWrite: boolean
  /** If a second factor was activated. */
  readonly recoveryCodes?: readonly string[] | undefined
}
