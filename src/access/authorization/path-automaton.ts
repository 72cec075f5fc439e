/**
 * A regular expression as a precomputed finite automaton (DFA): one look-up per character of a path, for any expression
 * and path.
 */
import { RE2Set } from 're2js'
import { segmentMistake } from '../../util/path-segment.ts'

/** Says whether a whole path matches. */
export interface PathPattern {
  (path: string): boolean
  /** The prefix of every matching path, as far as it is known; `undefined` if none matches. */
  readonly start: string | undefined
  /** Whether some path one segment below `path` matches; `path` has no trailing slash. */
  below(path: string): boolean
  /** What the rest of a path after `front` must match; undefined if no path matches. */
  after(front: string): ((rest: string) => boolean) | undefined
  /** Whether some path matches that consists of these parts in turn. */
  meets(parts: readonly PathPart[]): boolean
  /** The number of precomputed steps, which is its size. */
  readonly size: number
}

/** A part of a path: a text, any segment that is not empty, or any rest. */
export type PathPart = string | { readonly any: 'segment' | 'rest' }

/** A pattern that matches nothing. */
export const noPath: PathPattern = Object.assign(() => false, {
  start: undefined,
  below: () => false,
  after: () => undefined,
  meets: () => false,
  size: 0,
})

/** The limit of states times kinds of characters. */
const workLimit = 100_000

/** A state of re2js's automaton: the program positions that it stands for. */
interface State {
  readonly nfaStates: readonly number[]
  readonly isMatch: boolean
}

/** The automaton of an expression that re2js compiles; undefined if it would be too large. */
export function layOutAutomaton(regex: string): PathPattern | undefined {
  const set = new RE2Set(RE2Set.ANCHOR_BOTH)
  set.add(regex)
  set.compile()
  const { dfa } = set
  const classes = dfa.numClasses
  const representatives = [0, ...dfa.classBounds]
  const step = (state: State, kind: number, character: number): State | null =>
    dfa.step(state, kind, character, RE2Set.ANCHOR_BOTH)

  const first = startOf(set)
  const numbers = new Map<State, number>()
  const states: State[] = []
  const numberOf = (state: State): number => {
    const known = numbers.get(state)
    if (known !== undefined) return known
    numbers.set(state, states.length)
    states.push(state)
    return states.length - 1
  }
  numberOf(first)
  const next: number[] = []
  const accepts: boolean[] = []
  let work = 0
  for (let number = 0; number < states.length; number += 1) {
    const state = states[number] as State
    work += (state.nfaStates.length + 1) * (classes + 1)
    if (work > workLimit) return undefined
    for (let kind = 0; kind < classes; kind += 1) {
      const following = step(state, kind, representatives[kind] ?? 0)
      if (following === null) return undefined
      next.push(following.nfaStates.length === 0 ? dead : numberOf(following))
    }
    accepts.push(step(state, classes, endOfText)?.isMatch === true)
  }
  return walk({
    next: Int32Array.from(next),
    accepts,
    classes,
    latin1: Int32Array.from(dfa.latin1Class),
    bounds: Int32Array.from(dfa.classBounds),
  })
}

const dead = -1
const endOfText = -1
const slash = 0x2f

/** re2js creates the start state with the first search. */
function startOf(set: RE2Set): State {
  set.match('')
  const [start] = set.dfa.startStates.values()
  return start
}

interface Tables {
  /** The state that follows, by state and kind of character. */
  readonly next: Int32Array
  /** Whether a path may end in a state. */
  readonly accepts: readonly boolean[]
  readonly classes: number
  /** The kinds of the first 256 characters. */
  readonly latin1: Int32Array
  /** The first character of every kind but the first. */
  readonly bounds: Int32Array
}

function walk(tables: Tables): PathPattern {
  const { next, accepts, classes, latin1, bounds } = tables
  const { text, state: stateAfterText } = literalStart(tables)
  const stateAfter = (from: number, path: string, begin: number): number => {
    let state = from
    for (let index = begin; index < path.length; index += 1) {
      let character = path.charCodeAt(index)
      if (character >= 0xd800) {
        character = path.codePointAt(index) ?? 0
        if (character > 0xffff) index += 1
      }
      const kind = latin1[character] ?? kindOf(character, bounds)
      state = next[state * classes + kind] ?? dead
      if (state === dead) return dead
    }
    return state
  }
  // Most expressions fail here, and this is the fastest check.
  const matches = (path: string) =>
    path.startsWith(text) && accepts[stateAfter(stateAfterText, path, text.length)] === true
  let beforeSegment: Uint8Array | undefined
  return Object.assign(matches, {
    start: text,
    size: next.length,
    below(path: string) {
      const front = `${path}/`
      if (!front.startsWith(text) && !text.startsWith(front)) return false
      const state = stateAfter(0, front, 0)
      if (state === dead) return false
      beforeSegment ??= statesBeforeSegment(tables)
      return beforeSegment[state] === 1
    },
    meets(parts: readonly PathPart[]) {
      const [front] = parts
      if (typeof front === 'string' && !front.startsWith(text) && !text.startsWith(front)) return false
      let states: readonly number[] = [0]
      for (const part of parts) {
        states =
          typeof part === 'string'
            ? [...new Set(states.map((state) => stateAfter(state, part, 0)))].filter(
                (state) => state !== dead,
              )
            : statesAfterAny(states, part.any, tables)
      }
      return states.some((state) => accepts[state] === true)
    },
    after(front: string) {
      const state = stateAfter(0, front, 0)
      return state === dead ? undefined : (rest: string) => accepts[stateAfter(state, rest, 0)] === true
    },
  })
}

/**
 * 1 for each state from which some non-empty segment leads to the end of a matching path: computed backwards from the
 * final states, over every character that a segment can contain.
 */
function statesBeforeSegment({ next, accepts, classes, bounds }: Tables): Uint8Array {
  const kinds = segmentKinds(classes, bounds)
  const before = accepts.map((): number[] => [])
  for (const state of accepts.keys()) {
    for (const kind of kinds) {
      const following = next[state * classes + kind] ?? dead
      if (following !== dead && before[following]?.at(-1) !== state) before[following]?.push(state)
    }
  }
  const begins = new Uint8Array(accepts.length)
  const waiting = [...accepts.keys()].filter((state) => accepts[state] === true)
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    for (const previous of before[state] ?? []) {
      if (begins[previous] === 1) continue
      begins[previous] = 1
      waiting.push(previous)
    }
  }
  return begins
}

/** The states that follow some by any segment that is not empty, or by any rest of a path. */
function statesAfterAny(
  from: readonly number[],
  any: 'segment' | 'rest',
  { next, accepts, classes, latin1, bounds }: Tables,
): readonly number[] {
  const inSegments = segmentKinds(classes, bounds)
  const kinds = any === 'segment' ? inSegments : [...new Set([...inSegments, latin1[slash] ?? 0])]
  const isReached = new Uint8Array(accepts.length)
  const reached: number[] = []
  const reach = (state: number) => {
    if (state === dead || isReached[state] === 1) return
    isReached[state] = 1
    reached.push(state)
  }
  const stepFrom = (state: number) => {
    for (const kind of kinds) reach(next[state * classes + kind] ?? dead)
  }
  if (any === 'rest') from.forEach(reach)
  else from.forEach(stepFrom)
  for (const state of reached) stepFrom(state)
  return reached
}

function segmentKinds(classes: number, bounds: Int32Array): readonly number[] {
  return Array.from({ length: classes }, (_, kind) => kind).filter((kind) => isOfSegments(kind, bounds))
}

/** Whether a segment can hold one of the characters of a kind. */
function isOfSegments(kind: number, bounds: Int32Array): boolean {
  const end = bounds[kind] ?? 0x110000
  for (let character = bounds[kind - 1] ?? 0; character < end; character += 1) {
    const isSurrogate = character >= 0xd800 && character <= 0xdfff
    // A dot alone is no segment, but part of many.
    if (!isSurrogate && segmentMistake(`a${String.fromCodePoint(character)}`) === undefined) return true
  }
  return false
}

/** The common prefix of all matching paths, and the state after it. */
function literalStart({ next, accepts, classes, bounds }: Tables): {
  readonly text: string
  readonly state: number
} {
  let text = ''
  let state = 0
  const seen = new Set<number>()
  while (!seen.has(state) && accepts[state] !== true) {
    seen.add(state)
    const kinds = Array.from({ length: classes }, (_, kind) => kind)
    const [kind, another] = kinds.filter((kind) => next[state * classes + kind] !== dead)
    const character = bounds[(kind ?? 0) - 1]
    const isOneCharacter = kind !== undefined && bounds[kind] === (character ?? -1) + 1
    if (kind === undefined || another !== undefined || character === undefined || !isOneCharacter) break
    text += String.fromCodePoint(character)
    state = next[state * classes + kind] ?? dead
  }
  return { text, state }
}

function kindOf(character: number, bounds: Int32Array): number {
  let low = 0
  let high = bounds.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] ?? 0) <= character) low = middle + 1
    else high = middle
  }
  return low
}
