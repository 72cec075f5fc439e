/**
 * A regular expression as a finite automaton whose every step is laid out beforehand: one look-up for each
 * character of a path, whatever the expression and whatever the path.
 */
import { RE2Set } from 're2js'

/** Says whether a whole path matches. */
export interface PathPattern {
  (path: string): boolean
  /** What every path that matches starts with, as far as that was found out; `undefined` where none matches. */
  readonly start: string | undefined
}

/** States that lie together, times the kinds of characters that are told apart: what it takes to lay one out. */
const workLimit = 100_000

/** A state of re2js's automaton: the places in the program that it stands for. */
interface State {
  readonly nfaStates: readonly number[]
  readonly isMatch: boolean
}

/** The automaton of an expression that re2js compiles; undefined when it would be too large. */
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

/** re2js makes the state that every search starts from with the first search. */
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
  const matches = (path: string) => {
    // Most expressions say no here, and this is the fastest way to hear it.
    if (!path.startsWith(text)) return false
    let state = stateAfterText
    for (let index = text.length; index < path.length; index += 1) {
      let character = path.charCodeAt(index)
      if (character >= 0xd800) {
        character = path.codePointAt(index) ?? 0
        if (character > 0xffff) index += 1
      }
      const kind = latin1[character] ?? kindOf(character, bounds)
      state = next[state * classes + kind] ?? dead
      if (state === dead) return false
    }
    return accepts[state] === true
  }
  return Object.assign(matches, { start: text })
}

/** The text that every path must start with, and the state that it leads to. */
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
