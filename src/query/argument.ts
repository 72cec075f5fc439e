import { isOddText } from './codec/loose-values.ts'
import { decodeCursor } from './cursor.ts'
import { decodeGlobalId } from './global-id.ts'
import { type ValueSource, valueAt } from './value-source.ts'

/**
 * A value of a request as the planner sees it. The planner asks for aspects that affect the plan's shape; the value
 * itself stays a source. So a plan can be cached with exactly what it depends on, whether the value is written in the
 * document or comes from variables.
 */
export interface Argument {
  /** The path of the value in messages: `filters[0].val`. */
  readonly label: string
  readonly source: ValueSource
  ask<Name extends AspectName>(aspect: Name): ReturnType<(typeof aspects)[Name]>
  /** An item of a list. */
  item(index: number): Argument
  /** A member of an object; absent if the object does not have the key. */
  member(key: string): Argument
}

/** All aspects of a value that a plan may depend on. The results are plain data that can be compared as JSON text. */
export const aspects = {
  kind: (value: unknown): 'absent' | 'null' | 'scalar' | 'list' | 'object' => {
    if (value === undefined) return 'absent'
    if (value === null) return 'null'
    if (Array.isArray(value)) return 'list'
    return typeof value === 'object' ? 'object' : 'scalar'
  },
  length: (value: unknown): number => (Array.isArray(value) ? value.length : 0),
  keys: (value: unknown): readonly string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [],
  holdsNull: (value: unknown): boolean => Array.isArray(value) && value.includes(null),
  /** Whether a value in the list is not null. */
  holdsValue: (value: unknown): boolean =>
    Array.isArray(value) && value.some((item) => item !== null && item !== undefined),
  holdsOnlyScalars: (value: unknown): boolean =>
    Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object'),
  /**
   * How many placeholders the values of a short list take with one each, rounded up so that lists of similar lengths
   * share a statement; 0 for longer lists and lists without values.
   */
  placeholders: (value: unknown): number => placeholdersFor(value),
  /** Whether it is or contains a text that may mean something outside the type of a column, or several values. */
  holdsOddText: (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isOddText) : isOddText(value),
  /** What a value is in JSON; undefined for null and for what is no single value. */
  jsonKind: (value: unknown): 'string' | 'number' | 'boolean' | undefined => {
    if (typeof value === 'bigint') return 'number'
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? (typeof value as 'string' | 'number' | 'boolean')
      : undefined
  },
  /** The value itself: for names of fields and operators, and for conditions. */
  value: (value: unknown): unknown => value,
  /** Of a cursor: its order, and which of its values are null. */
  cursorShape: (value: unknown): { readonly order: string; readonly nulls: readonly boolean[] } | null => {
    const cursor = decodeCursor(value)
    return cursor === undefined
      ? null
      : { order: cursor.order, nulls: cursor.values.map((part) => part === null) }
  },
  /** Of a global id: the name of its type. */
  globalIdType: (value: unknown): string | null => decodeGlobalId(value, 1)?.typeName ?? null,
  /** Of a global id with stored values: which of them are null. */
  globalIdNulls: (value: unknown): readonly boolean[] | null => {
    const id = decodeGlobalId(value, 1)
    return id?.isStored ? id.key.map((part) => part === null) : null
  },
} as const satisfies Record<string, (value: unknown) => unknown>

const placeholderCounts = [1, 2, 4, 8]

function placeholdersFor(value: unknown): number {
  const values = Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined).length : 0
  return values === 0 ? 0 : (placeholderCounts.find((placeholders) => placeholders >= values) ?? 0)
}

export type AspectName = keyof typeof aspects

/** An argument whose value is known when the plan is made. */
export function literalArgument(value: unknown, label: string): Argument {
  return {
    label,
    source: { kind: 'literal', value, label },
    ask: (aspect) => aspects[aspect](value) as never,
    item: (index) => literalArgument(valueAt(value, [index]), `${label}[${index}]`),
    member: (key) => literalArgument(valueAt(value, [key]), `${label}.${key}`),
  }
}

/** The items of a list; a single value is a list of one item, null or an absent value an empty list. */
export function itemsOf(argument: Argument): readonly Argument[] {
  switch (argument.ask('kind')) {
    case 'absent':
    case 'null':
      return []
    case 'list':
      return Array.from({ length: argument.ask('length') }, (_, index) => argument.item(index))
    default:
      return [argument]
  }
}

/** Whether the argument was given with a value other than null. */
export function isGiven(argument: Argument): boolean {
  const kind = argument.ask('kind')
  return kind !== 'absent' && kind !== 'null'
}
