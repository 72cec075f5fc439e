import { dirname, resolve } from 'node:path'
import * as v from 'valibot'
import { passwordSchema } from '../../access/authentication/password.ts'
import { withoutLineEnd } from '../../config/without-line-end.ts'
import type { AccountDeclaration } from './account-declaration.ts'
import type { Declared } from './declaration.ts'

/** Sources of passwords that are not in the declaration itself. */
export interface PasswordSources {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Throws as `readFileSync` does. */
  readonly readText: (path: string) => string
}

/** A password, undefined if one is to be generated; or what is wrong, with its location. No message shows a password. */
export type PasswordReading = { readonly password: string | undefined } | { readonly mistake: string }

/** The declared password of a new account. */
export function readPassword(
  { content, file, placeOf }: Pick<Declared<AccountDeclaration>, 'content' | 'file' | 'placeOf'>,
  { environment, readText }: PasswordSources,
): PasswordReading {
  const { password, password_file, password_env } = content
  if (password_env !== undefined) {
    const text = environment[password_env]
    if (text) return checked(text, placeOf('/password_env'))
    const detail = `The environment has no variable ${JSON.stringify(password_env)}.`
    return { mistake: `${placeOf('/password_env')}: ${detail}` }
  }
  if (password_file === undefined) return { password }
  try {
    const text = readText(resolve(dirname(file), password_file))
    return checked(withoutLineEnd(text), placeOf('/password_file'))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    return { mistake: `${placeOf('/password_file')}: The file ${JSON.stringify(password_file)} ${reason}.` }
  }
}

function checked(text: string, place: string): PasswordReading {
  const reading = v.safeParse(passwordSchema, text)
  return reading.success
    ? { password: reading.output }
    : { mistake: `${place}: ${reading.issues[0].message}` }
}
