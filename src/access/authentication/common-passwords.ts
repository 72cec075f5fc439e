import { createRequire } from 'node:module'

interface PasswordLists {
  readonly dictionary: { readonly 'passwords-common': readonly string[] }
}

const require = createRequire(import.meta.url)

/**
 * Whether a password is among the most common ones, in whatever case: those that are guessed first. The list takes a
 * tenth of a second to unpack, so it is read when a password is set for the first time.
 */
export function isCommonPassword(password: string): boolean {
  const { dictionary } = require('@zxcvbn-ts/language-common') as PasswordLists
  return dictionary['passwords-common'].includes(password.toLowerCase())
}
