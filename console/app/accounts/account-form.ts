/** What is typed about accounts, as documents and commands. */
import type { Account } from '../api/records.ts'
import { quoted } from '../components/show-as.ts'

/** A new account while it is typed. */
export interface NewAccountForm {
  readonly username: string
  /** '' for one that is generated. */
  readonly password: string
  readonly roles: readonly string[]
  /** In days; undefined for none. */
  readonly expireDays: number | undefined
  /** A JSON object; '' for none. */
  readonly metadata: string
}

/** A password of 144 random bits. */
export function makePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** The object in a text of JSON; undefined if there is none. An empty text is an empty object. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

/** The names of the roles of an account: one name or a list. */
export function rolesOf({ role }: Pick<Account, 'role'>): readonly string[] {
  return typeof role === 'string' ? [role] : role
}

/** One name, or several. */
export function oneOrMore(names: readonly string[]): string | string[] {
  const [only] = names
  return names.length === 1 && only !== undefined ? only : [...names]
}

/** What an account is created with, besides its password. */
export function contentOf({ username, roles, expireDays, metadata }: Omit<NewAccountForm, 'password'>) {
  const object = objectIn(metadata)
  return {
    username,
    role: oneOrMore(roles),
    ...(expireDays === undefined ? {} : { expire_days: expireDays }),
    ...(object === undefined || Object.keys(object).length === 0 ? {} : { metadata: { ...object } }),
  }
}

/** The command that creates an account; it generates a password if none is typed. */
export function commandOf(form: NewAccountForm): string {
  const { username, password, roles } = form
  const { expire_days, metadata } = contentOf(form)
  return [
    `gatehouse account create ${quoted(username)} --role ${quoted(roles.join(','))}`,
    ...(password === '' ? [] : ['--new_password_file password.txt']),
    ...(expire_days === undefined ? [] : [`--expire_days ${expire_days}`]),
    ...(metadata === undefined ? [] : [`--metadata ${quoted(JSON.stringify(metadata))}`]),
  ].join(' ')
}
