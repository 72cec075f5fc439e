/** The last part of a record's address in its published API, which is made of its key. */
import type { Table } from './tables.ts'

/**
 * The path of a record in the published API of its table, encoded; undefined if there is none. `values` are by the names of
 * the table's fields.
 */
export function apiPathOf(
  { api, fields }: Pick<Table, 'api' | 'fields'>,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  if (api === null) return undefined
  const parts = api.key.map((name) => {
    const field = fields.find((candidate) => candidate.api_name === name)
    const value = field && values[field.name]
    if (field === undefined || value === null || value === undefined) return undefined
    const text = field.kind === 'binary' ? base64url(String(value)) : textOf(value, field.entity_type)
    return encodeURIComponent(api.adopted ? escaped(text) : text)
  })
  return parts.includes(undefined) ? undefined : `${api.path}/${parts.join(',')}`
}

/** The last part of the path of a record, as it stands in addresses. */
export function lastPartOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The last part of the path of a record, for people. */
export function nameOfPath(path: string): string {
  return decodeURIComponent(lastPartOf(path))
}

function textOf(value: unknown, type: string | undefined): string {
  return type === 'boolean' && typeof value === 'number' ? String(value !== 0) : String(value)
}

/** The same bytes in the alphabet of addresses: https://www.rfc-editor.org/rfc/rfc4648#section-5 */
export function base64url(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** What `~` and a digit stand for. */
const signs = ['~', ',', '/', '\\']

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f]/g

function escaped(value: string): string {
  if (value === '') return '~4'
  return value
    .replaceAll(/[~,/\\]/g, (sign) => `~${signs.indexOf(sign)}`)
    .replace(/^\./, '~5')
    .replaceAll(control, (sign) => `~x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
