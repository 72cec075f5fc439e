/** A role while it is edited. Whether it is right is for the gateway to say. */
import type { components } from '../api/gateway-api.d.ts'
import type { Role } from '../api/records.ts'
import { conditionsKey, conditionsOf, type RecordConditions } from '../components/record-conditions.ts'
import { quoted } from '../components/show-as.ts'
import type { EditedConditions } from '../conditions/edited-conditions.ts'

/** The methods that an authority can allow. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Some methods on the paths that match; with conditions, on the records that they admit. */
export interface Authority extends RecordConditions {
  readonly regex: string
  readonly methods: readonly string[]
}

/** An authority while it is edited. */
export interface DraftAuthority extends Authority, EditedConditions {
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
  readonly authorities: components['schemas']['RoleToCreate']['authorities']
  readonly gives?: '*' | string[]
  readonly limits?: { readonly requests: number; readonly per: number }
  readonly targets?: string[]
}

type SentConditions = Omit<RoleContent['authorities'][number], 'regex' | 'methods'>

/** A new role. */
export const emptyDraft: RoleDraft = { authorities: [], gives: [], limits: undefined, targets: undefined }

/** A stored role, to edit. */
export function draftOf({ authorities, gives = [], limits, targets }: Role): RoleDraft {
  return { authorities: authorities.map((authority, id) => ({ ...authority, id })), gives, limits, targets }
}

/** Whether all that was written of a draft is in the document that would be sent. */
export function isTaken({ authorities }: Pick<RoleDraft, 'authorities'>): boolean {
  return authorities.every(({ unread }) => unread === undefined)
}

/** The document that writes a role. Methods are in the usual order, and conditions as they are. */
export function contentOf({ authorities, gives, limits, targets }: RoleDraft): RoleContent {
  return {
    authorities: authorities.map(({ regex, methods: chosen, ...conditions }) => ({
      regex,
      methods: methods.filter((method) => chosen.includes(method)),
      // A copy: documents to send are not read-only.
      ...(structuredClone(conditionsOf(conditions)) as SentConditions | undefined),
    })),
    ...(gives === '*' ? { gives } : gives.length === 0 ? {} : { gives: [...gives] }),
    ...(limits === undefined ? {} : { limits }),
    ...(targets === undefined ? {} : { targets: [...targets] }),
  }
}

/** Adds methods on a path: to the authority with the same expression and conditions, otherwise to a new one at the end. */
export function withAuthority(draft: RoleDraft, added: Authority): RoleDraft {
  const { authorities } = draft
  const { regex } = added
  const key = conditionsKey(added)
  const known = authorities.find((authority) => authority.regex === regex && conditionsKey(authority) === key)
  if (known !== undefined && regex !== '') {
    const merged = { ...known, methods: [...new Set([...known.methods, ...added.methods])] }
    return withChanged(draft, merged)
  }
  const id = Math.max(-1, ...authorities.map((authority) => authority.id)) + 1
  const fresh = { id, regex, methods: added.methods, ...conditionsOf(added) }
  return { ...draft, authorities: [...authorities, fresh] }
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

/** The command that writes a role, for a draft with one authority without conditions; others need a file. */
export function commandOf(verb: 'create' | 'update', name: string, draft: RoleDraft): string {
  const { authorities, gives, limits, targets } = draft
  const [only] = authorities
  const command = `gatehouse role ${verb} ${quoted(name)}`
  const names = [...(gives === '*' ? [] : gives), ...(targets ?? [])]
  const hasFlags = only !== undefined && authorities.length === 1 && conditionsOf(only) === undefined
  if (!hasFlags || names.some((name) => name.includes(','))) return `${command} --file role.yaml`
  const given = gives === '*' ? '*' : gives.join(',')
  return [
    command,
    `--regex ${quoted(only.regex)} --methods ${only.methods.join(',')}`,
    ...(given === '' ? [] : [`--gives ${quoted(given)}`]),
    ...(limits === undefined ? [] : [`--limits ${limits.requests}/${limits.per}`]),
    ...(targets === undefined || targets.length === 0 ? [] : [`--targets ${quoted(targets.join(','))}`]),
  ].join(' ')
}
