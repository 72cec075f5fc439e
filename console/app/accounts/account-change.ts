/** What is changed of an account, and how it is changed back. */
import type { Account } from '../api/records.ts'
import { quoted } from '../components/show-as.ts'
import { objectIn, oneOrMore, rolesOf } from './account-form.ts'

/** An account while it is edited. */
export interface AccountEdit {
  readonly roles: readonly string[]
  /** A new lifetime in days from now on; `kept` leaves the end as it is. */
  readonly expiry: 'kept' | 'never' | number
  /** A JSON object. */
  readonly metadata: string
}

/** What is sent. */
export interface AccountDifference {
  readonly role?: string | string[]
  readonly expire_days?: number | null
  /** The end itself, where it is set to what it was. */
  readonly expire?: string | null
  readonly metadata?: { [key: string]: unknown }
}

/** A stored account, to edit. */
export function editOf(account: Account): AccountEdit {
  const { metadata, expire } = account
  return {
    roles: rolesOf(account),
    expiry: expire === null ? 'never' : 'kept',
    metadata: Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2),
  }
}

/** What differs from the stored account; a text that is no JSON object changes nothing. */
export function changeOf(account: Account, { roles, expiry, metadata }: AccountEdit): AccountDifference {
  const before = editOf(account)
  const object = objectIn(metadata)
  const isOther = object !== undefined && JSON.stringify(object) !== JSON.stringify(account.metadata)
  return {
    ...(roles.join('\n') === before.roles.join('\n') ? {} : { role: oneOrMore(roles) }),
    ...(expiry === 'kept' || expiry === before.expiry
      ? {}
      : { expire_days: expiry === 'never' ? null : expiry }),
    ...(isOther ? { metadata: { ...object } } : {}),
  }
}

/** What an account has of the members that a change sets: sent, it changes the account back. */
export function membersOf(account: Account, change: AccountDifference): AccountDifference {
  const { role, expire_days, expire, metadata } = account
  return {
    ...(change.role === undefined ? {} : { role }),
    ...(change.expire_days === undefined ? {} : { expire_days, expire }),
    ...(change.metadata === undefined ? {} : { metadata }),
  }
}

/** An edit after it was saved: what has been entered since it was sent stays. */
export function withSaved(entered: AccountEdit, sent: AccountEdit, stored: AccountEdit): AccountEdit {
  return {
    roles: entered.roles === sent.roles ? stored.roles : entered.roles,
    expiry: entered.expiry === sent.expiry ? stored.expiry : entered.expiry,
    metadata: entered.metadata === sent.metadata ? stored.metadata : entered.metadata,
  }
}

/** The command that makes a change. */
export function commandOfChange(
  username: string,
  { role, expire_days, metadata }: AccountDifference,
): string {
  return [
    `gatehouse account update ${quoted(username)}`,
    ...(role === undefined ? [] : [`--role ${quoted([role].flat().join(','))}`]),
    ...(expire_days === undefined ? [] : [`--expire_days ${expire_days ?? 'never'}`]),
    ...(metadata === undefined ? [] : [`--metadata ${quoted(JSON.stringify(metadata))}`]),
  ].join(' ')
}
