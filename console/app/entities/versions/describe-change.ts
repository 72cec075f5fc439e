/** Differences between versions in words. */
import type { components } from '../../api/gateway-api.d.ts'

/** A difference as the gateway tells it. */
export type DefinitionChange = components['schemas']['EntityVersionDifference']['changes'][number]

/** The key of a sentence in `versions.change` of the texts, with what stands in it. */
export interface ChangeWords {
  readonly key:
    | 'entityAdded'
    | 'entityRemoved'
    | 'fieldAdded'
    | 'fieldRemoved'
    | 'orderChanged'
    | 'memberAdded'
    | 'memberRemoved'
    | 'memberChanged'
    | 'fieldMemberAdded'
    | 'fieldMemberRemoved'
    | 'fieldMemberChanged'
  readonly values: Readonly<Record<'field' | 'member' | 'from' | 'to', string>>
}

const endings = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const

/** A difference as a sentence. */
export function describeChange({ kind, pointer, field, from, to }: DefinitionChange): ChangeWords {
  const keys = pointer.split('/').slice(1).map(unescaped)
  const inField = keys[1] === 'identifier' ? keys.slice(2) : keys.slice(3)
  const values = { field: field ?? '', member: '', from: shortText(from), to: shortText(to) }
  if (pointer === '') return { key: kind === 'added' ? 'entityAdded' : 'entityRemoved', values }
  if (field !== undefined && inField.length === 0 && kind !== 'changed') {
    return { key: `field${endings[kind]}`, values }
  }
  if (field !== undefined) {
    return { key: `fieldMember${endings[kind]}`, values: { ...values, member: inField.join('.') } }
  }
  if (kind === 'changed' && /^\/attributes\/(local|ref)_fields$/.test(pointer)) {
    return { key: 'orderChanged', values }
  }
  const member = keys.join('.').replace(/^attributes\./, '')
  return { key: `member${endings[kind]}`, values: { ...values, member } }
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** A value as JSON; the type of a whole field. */
function shortText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'object' && value !== null && 'field_type' in value) return String(value.field_type)
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
