import { decodeCursor } from './cursor.ts'
import { decodeGlobalId } from './global-id.ts'

/**
 * Where a value of a plan comes from when it runs: written in the request, a path into the variables
 * sent with it, or a part of a text that holds several values. Plans hold sources, not values, so that
 * one plan serves many requests. `label` names the place in messages: `name`, `filters[0].val`.
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
      /** How many values the text holds. */
      readonly count: number
      readonly label: string
    }

/** The variables of one request, by name. */
export type Variables = Readonly<Record<string, unknown>>

/** The value that a source stands for; undefined where a variable was not sent. */
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

/** Walks into nested lists and objects; undefined where the path leads nowhere. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Record<string | number, unknown>)[key]
  }
  return current
}
