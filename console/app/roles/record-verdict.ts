/** What the gateway's answer about a record means, for the tester. */
import { conditionsOf } from '../components/record-conditions.ts'
import type { AccessExplanation, ExplainedAuthority } from './tester-query.ts'

/**
 * Whether some authority admits the record. Undefined where that is not known: if the call is not allowed at all, on public
 * routes, and for a part of GraphQL, which an authority for the whole may give.
 */
export function isAdmitted({
  allowed,
  scope,
  path = '',
  roles = [],
}: AccessExplanation): boolean | undefined {
  if (!allowed || scope === 'public') return undefined
  const isOne = roles.some(({ authorities }) =>
    authorities.some(
      (authority) =>
        authority.path_matches &&
        authority.method_matches &&
        (authority.row?.admitted ?? conditionsOf(authority) === undefined),
    ),
  )
  return isOne || path.startsWith('/apis/') ? isOne : undefined
}

/** A part of an authority that a record or an account meets, or does not. */
export type Mark = { readonly pointer: string; readonly isMet: boolean } & (
  | { readonly kind: 'row'; readonly condition: unknown }
  | { readonly kind: 'field' | 'set'; readonly name: string }
)

/** The conditions on rows, each with whether the record meets it; then everything else that is not met. */
export function marksOf({ rows = [], fields, row }: ExplainedAuthority): readonly Mark[] {
  const failed = new Set(row?.failed ?? [])
  const conditions = rows.map((condition, index): Mark => {
    const pointer = `/rows/${index}`
    return { kind: 'row', pointer, isMet: !failed.has(pointer), condition }
  })
  const others = [...failed].flatMap((pointer): readonly Mark[] => {
    const [, part = '', ...keys] = pointer.split('/').map(unescaped)
    if (part === 'set') return [{ kind: 'set', pointer, isMet: false, name: keys[0] ?? '' }]
    if (part !== 'fields') return []
    const names = keys[0] === 'write' ? fields?.write : fields?.read
    return [{ kind: 'field', pointer, isMet: false, name: names?.[Number(keys[1])] ?? pointer }]
  })
  return [...conditions, ...others]
}

/** The fields of a record that an authority gives by a method; undefined names are all. */
export function fieldsOnRecord({ fields }: ExplainedAuthority, method: string) {
  const read = fields?.read
  return {
    reads: method !== 'DELETE',
    writes: ['POST', 'PUT', 'PATCH'].includes(method),
    read,
    write: fields?.write ?? read,
  }
}

/** A part of a JSON pointer: https://www.rfc-editor.org/rfc/rfc6901#section-4 */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
