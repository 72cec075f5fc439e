import * as v from 'valibot'
import { strictObject } from '../http/document-schema.ts'
import { type Authority, authoritySchema, type CompiledAuthority, compileAuthority } from './authority.ts'
import { nameSchema } from './name.ts'
import { publishedRegex } from './published-regex.ts'

/** What the accounts that have it may do: whatever one of its authorities allows. */
export interface Role {
  readonly name: string
  readonly authorities: readonly Authority[]
}

/** A role that is ready to decide. */
export interface CompiledRole extends Role {
  readonly authorities: readonly CompiledAuthority[]
}

const authorities = v.pipe(v.array(authoritySchema), v.maxLength(1000))

/** Reads a new role. */
export const roleSchema = strictObject({ name: nameSchema, authorities })

/** Reads a role whose name is in the path. */
export const roleToPutSchema = strictObject({ name: v.optional(nameSchema), authorities })

/** Compiles a role that was read from the store. */
export function compileRole({ name, authorities }: Role): CompiledRole {
  return { name, authorities: authorities.map(compileAuthority) }
}

/** The role as its own accounts are shown it: each regular expression ends in an anchor. */
export function publishedRole({ name, authorities }: Role): Role {
  return {
    name,
    authorities: authorities.map(({ regex, methods }) => ({ regex: publishedRegex(regex), methods })),
  }
}

/** Several roles as the one object that a logon answers: the name of the first, the authorities of all. */
export function mergedRole(roles: readonly Role[]): Role {
  return { name: roles[0]?.name ?? '', authorities: roles.flatMap((role) => role.authorities) }
}
