import { createRequire } from 'node:module'

interface PasswordLists {
  readonly dictionary: { readonly 'passwords-common': readonly string[] }
}

const require = createRequire(import.meta.url)

/**
 * Whether a password is among the most common ones, which are guessed first, in any case. The list takes a tenth of a
 * second to unpack, so it is loaded when a password is first set.
 */
export function isCommonPassword(password: string): boolean {
  const { dictionary } = require('@zxcvbn-ts/language-common') as PasswordLists
  return dictionary['passwords-common'].includes(password.toLowerCase())
}
