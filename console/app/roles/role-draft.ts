/** A role while it is edited. Whether it is right is for the gateway to say. */
import type { Role } from '../api/records.ts'
import { quoted } from '../components/show-as.ts'

/** The methods that an authority can allow. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type Method = (typeof methods)[number]

/** Some methods on the paths that match. */
export interface Authority {
  readonly regex: string
  readonly methods: readonly string[]
}

/** An authority while it is edited. */
export interface DraftAuthority extends Authority {
  /** Stays the same while authorities are moved. */
  readonly id: number
}

/** A role while it is edited. */
export interface RoleDraft {
  readonly authorities: readonly DraftAuthority[]
  /** Names of roles; `*` for all. */
  readonly gives: '*' | readonly string[]
  readonly limits: { readonly requests: number; readonly per: number } | undefined
  readonly targets: readonly string[] | undefined
}

/** What is sent to write a role, without its name. */
export interface RoleContent {
  readonly authorities: { regex: string; methods: Method[] }[]
  readonly gives?: '*' | string[]
  readonly limits?: { readonly requests: number; readonly per: number }
  readonly targets?: string[]
}

/** A new role. */
export const emptyDraft: RoleDraft = { authorities: [], gives: [], limits: undefined, targets: undefined }

/** A stored role, to edit. */
export function draftOf({ authorities, gives = [], limits, targets }: Role): RoleDraft {
  return { authorities: authorities.map((authority, id) => ({ ...authority, id })), gives, limits, targets }
}

/** The document that writes a role. Methods are in the usual order. */
export function contentOf({ authorities, gives, limits, targets }: RoleDraft): RoleContent {
  return {
    authorities: authorities.map(({ regex, methods: chosen }) => ({
      regex,
      methods: methods.filter((method) => chosen.includes(method)),
    })),
    ...(gives === '*' ? { gives } : gives.length === 0 ? {} : { gives: [...gives] }),
    ...(limits === undefined ? {} : { limits }),
    ...(targets === undefined ? {} : { targets: [...targets] }),
  }
}

/** Adds methods on a path: to the authority with the same expression, otherwise to a new one at the end. */
export function withAuthority(draft: RoleDraft, { regex, methods: added }: Authority): RoleDraft {
  const { authorities } = draft
  const known = authorities.find((authority) => authority.regex === regex)
  if (known !== undefined && regex !== '') {
    const merged = { ...known, methods: [...new Set([...known.methods, ...added])] }
    return withChanged(draft, merged)
  }
  const id = Math.max(-1, ...authorities.map((authority) => authority.id)) + 1
  return { ...draft, authorities: [...authorities, { id, regex, methods: added }] }
}

/** Replaces the authority with the same id. */
export function withChanged(draft: RoleDraft, changed: DraftAuthority): RoleDraft {
  const authorities = draft.authorities.map((authority) =>
    authority.id === changed.id ? changed : authority,
  )
  return { ...draft, authorities }
}

/** Leaves an authority out. */
export function withoutAuthority(draft: RoleDraft, id: number): RoleDraft {
  return { ...draft, authorities: draft.authorities.filter((authority) => authority.id !== id) }
}

/** Moves an authority by one place, up with -1 and down with 1. */
export function withMoved(draft: RoleDraft, id: number, by: -1 | 1): RoleDraft {
  const from = draft.authorities.findIndex((authority) => authority.id === id)
  const neighbour = draft.authorities[from + by]
  const moved = draft.authorities[from]
  if (moved === undefined || neighbour === undefined) return draft
  return { ...draft, authorities: draft.authorities.with(from, neighbour).with(from + by, moved) }
}

/** The expression for one path alone. */
export function regexOfPath(path: string): string {
  return path.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The command that writes a role, for a draft with one authority; others need a file. */
export function commandOf(verb: 'create' | 'update', name: string, draft: RoleDraft): string {
  const { authorities, gives, limits, targets } = draft
  const [only] = authorities
  const command = `gatehouse role ${verb} ${quoted(name)}`
  const names = [...(gives === '*' ? [] : gives), ...(targets ?? [])]
  const isSimple = authorities.length === 1 && only !== undefined && !names.some((name) => name.includes(','))
  if (!isSimple) return `${command} --file role.yaml`
  const given = gives === '*' ? '*' : gives.join(',')
  return [
    command,
    `--regex ${quoted(only.regex)} --methods ${only.methods.join(',')}`,
    ...(given === '' ? [] : [`--gives ${quoted(given)}`]),
    ...(limits === undefined ? [] : [`--limits ${limits.requests}/${limits.per}`]),
    ...(targets === undefined || targets.length === 0 ? [] : [`--targets ${quoted(targets.join(','))}`]),
  ].join(' ')
}
