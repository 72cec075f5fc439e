import type { ApiRoute } from '../../access/authorization/api-route.ts'
import type { Role } from '../../access/authorization/role.ts'
import type { AccountDeclaration } from './account-declaration.ts'

/** One file with declarations. */
export interface DeclarationFile {
  /** As it is told to the user, and what paths in it are relative to; `-` for the input. */
  readonly path: string
  readonly text: string
}

/** One record as files want it. */
export interface Declared<Content> {
  readonly name: string
  readonly content: Content
  /** The file it is in. */
  readonly file: string
  /** Where a part of it is written, for people: `access.yaml line 3: /roles/0/name`. By JSON pointer into the content. */
  readonly placeOf: (pointer: string) => string
}

/** What files declare. Of each kind, names are unique. */
export interface Declarations {
  /** Definitions as they are uploaded: the gateway judges them. */
  readonly entities: readonly Declared<unknown>[]
  readonly roles: readonly Declared<Role>[]
  /** Also of roles that are wrong otherwise: who has such a role makes no mistake of its own. */
  readonly roleNames: ReadonlySet<string>
  readonly accounts: readonly Declared<AccountDeclaration>[]
  readonly routes: readonly Declared<ApiRoute>[]
}
