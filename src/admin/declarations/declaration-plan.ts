/** The changes that make a gateway match what files declare, as plain data. */
import type { ApiRoute } from '../../access/authorization/api-route.ts'
import type { Role } from '../../access/authorization/role.ts'
import type { AccountDeclaration } from './account-declaration.ts'

/** The change of one record. */
export type PlannedRecord = PlannedEntity | PlannedRole | PlannedAccount | PlannedRoute

interface Planned {
  readonly name: string
  readonly action: 'create' | 'change' | 'none'
  /** What differs: keys of the document, or steps of an upload. Never a value. */
  readonly differs: readonly string[]
}

/** All entities are uploaded together. */
interface PlannedEntity extends Planned {
  readonly kind: 'entity'
  readonly content: unknown
}

interface PlannedRole extends Planned {
  readonly kind: 'role'
  readonly content: Role
  /** What is perhaps not intended in it; in sentences. */
  readonly warnings: readonly string[]
}

export interface PlannedAccount extends Planned {
  readonly kind: 'account'
  readonly content: Omit<AccountDeclaration, 'password' | 'password_file' | 'password_env'>
  /** That of an account to create; undefined if it is to be generated. */
  readonly password: string | undefined
}

interface PlannedRoute extends Planned {
  readonly kind: 'route'
  readonly content: ApiRoute
}
