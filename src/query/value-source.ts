import { decodeCursor } from './cursor.ts'
import { decodeGlobalId } from './global-id.ts'

/**
 * Where a plan gets a value when it runs: from the document, from a path into the request's variables, or from a part
 * of a text that contains several values. Plans contain sources, not values, so that one plan serves many requests.
 * `label` is the path in messages: `name`, `filters[0].val`.
 */
export type ValueSource =
  | { readonly kind: 'literal'; readonly value: unknown; readonly label: string }
  | { readonly kind: 'variable'; readonly path: readonly (string | number)[]; readonly label: string }
  | { readonly kind: 'list'; readonly items: readonly ValueSource[]; readonly label: string }
  | {
      readonly kind: 'part'
      readonly of: ValueSource
      readonly encoding: 'cursor' | 'globalId'
      readonly position: number
      /** How many values the text contains. */
      readonly count: number
      readonly label: string
    }

/** The variables of one request, by name. */
export type Variables = Readonly<Record<string, unknown>>

/** The value of a source; undefined if a variable was not sent. */
export function resolveValue(source: ValueSource, variables: Variables): unknown {
  switch (source.kind) {
    case 'literal':
      return source.value
    case 'variable':
      return valueAt(variables, source.path)
    case 'list':
      return source.items.map((item) => resolveValue(item, variables) ?? null)
    case 'part': {
      const text = resolveValue(source.of, variables)
      const parts =
        source.encoding === 'cursor' ? decodeCursor(text)?.values : decodeGlobalId(text, source.count)?.key
      return parts?.[source.position]
    }
  }
}

/** Follows a path into nested lists and objects; undefined if it does not exist. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Record<string | number, unknown>)[key]
  }
  return current
}
