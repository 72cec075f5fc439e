import * as v from 'valibot'
import { accountEntries } from '../../access/authentication/account.ts'
import { nameSchema } from '../../access/name.ts'
import { refuse, strictObject } from '../../documents/document-schema.ts'

const nonEmpty = v.pipe(v.string(), v.minLength(1))

/**
 * An account in a declaration file. What is left out stays as it is. The password is for a new account: as text, in a
 * file, or in an environment variable; without one it is generated.
 */
export const accountDeclarationSchema = v.pipe(
  strictObject({
    username: nameSchema,
    role: accountEntries.role,
    expire_days: accountEntries.expire_days,
    metadata: accountEntries.metadata,
    disabled: accountEntries.disabled,
    limits: accountEntries.limits,
    password: v.optional(accountEntries.password),
    password_file: v.optional(nonEmpty),
    password_env: v.optional(nonEmpty),
  }),
  refuse(severalPasswords),
)

/** An account in a declaration file. */
export type AccountDeclaration = v.InferOutput<typeof accountDeclarationSchema>

function severalPasswords(declared: {
  readonly password?: string | undefined
  readonly password_file?: string | undefined
  readonly password_env?: string | undefined
}): string | undefined {
  const { password, password_file, password_env } = declared
  return [password, password_file, password_env].filter((value) => value !== undefined).length > 1
    ? 'Give one of "password", "password_file" and "password_env".'
    : undefined
}
