import type { ApiRoute } from '../../access/authorization/api-route.ts'
import type { Role } from '../../access/authorization/role.ts'
import type { AccountDeclaration } from './account-declaration.ts'

/** One file with declarations. */
export interface DeclarationFile {
  /** Its path, to which paths in it are relative; `-` for standard input. */
  readonly path: string
  readonly text: string
}

/** One record as declared. */
export interface Declared<Content> {
  readonly name: string
  readonly content: Content
  /** The file it is in. */
  readonly file: string
  /** The location of a part of it, for people: `access.yaml line 3: /roles/0/name`. By JSON pointer into the content. */
  readonly placeOf: (pointer: string) => string
}

/** What files declare. Of each kind, names are unique. */
export interface Declarations {
  /** Definitions as they are uploaded: the gateway validates them. */
  readonly entities: readonly Declared<unknown>[]
  readonly roles: readonly Declared<Role>[]
  /** Also of roles with mistakes, so that accounts with such a role are not reported too. */
  readonly roleNames: ReadonlySet<string>
  readonly accounts: readonly Declared<AccountDeclaration>[]
  readonly routes: readonly Declared<ApiRoute>[]
}
