import { isOddText } from './codec/loose-values.ts'
import { decodeCursor } from './cursor.ts'
import { decodeGlobalId } from './global-id.ts'
import { type ValueSource, valueAt } from './value-source.ts'

/**
 * A value of a request as the planner sees it. What the plan's shape depends on is asked here; the
 * value itself stays a source. So a plan can be kept with exactly what it depends on, whether the value
 * is written in the request or comes with its variables.
 */
export interface Argument {
  /** Names the place in messages: `filters[0].val`. */
  readonly label: string
  readonly source: ValueSource
  ask<Name extends AspectName>(aspect: Name): ReturnType<(typeof aspects)[Name]>
  /** An item of a list. */
  item(index: number): Argument
  /** A value of an object; absent where the object lacks the key. */
  member(key: string): Argument
}

/** All that a plan may depend on in a value. The answers are plain data that can be compared as JSON text. */
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
  /** Whether something in the list is not null. */
  holdsValue: (value: unknown): boolean =>
    Array.isArray(value) && value.some((item) => item !== null && item !== undefined),
  holdsOnlyScalars: (value: unknown): boolean =>
    Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object'),
  /**
   * How many places the values of a short list take where each has one of its own, counted so that lists of nearby lengths
   * have as many; 0 for longer lists, and where there are none.
   */
  places: (value: unknown): number => placesFor(value),
  /** Whether it is, or holds, a text that may mean something beyond the type of a column, or several values. */
  holdsOddText: (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isOddText) : isOddText(value),
  /** The value itself: for names of fields and operators, and for conditions. */
  value: (value: unknown): unknown => value,
  /** Of a cursor: its order, and where it holds a null. */
  cursorShape: (value: unknown): { readonly order: string; readonly nulls: readonly boolean[] } | null => {
    const cursor = decodeCursor(value)
    return cursor === undefined
      ? null
      : { order: cursor.order, nulls: cursor.values.map((part) => part === null) }
  },
  /** Of a global id: the name of its type. */
  globalIdType: (value: unknown): string | null => decodeGlobalId(value, 1)?.typeName ?? null,
  /** Of a global id that holds values as they are stored: where it holds a null. */
  globalIdNulls: (value: unknown): readonly boolean[] | null => {
    const id = decodeGlobalId(value, 1)
    return id?.isStored ? id.key.map((part) => part === null) : null
  },
} as const satisfies Record<string, (value: unknown) => unknown>

const placesOfLists = [1, 2, 4, 8]

function placesFor(value: unknown): number {
  const values = Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined).length : 0
  return values === 0 ? 0 : (placesOfLists.find((places) => places >= values) ?? 0)
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

/** The items of a list; a single value stands for a list of one, null and nothing for an empty one. */
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
