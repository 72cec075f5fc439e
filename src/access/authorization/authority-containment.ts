/**
 * Whether authorities allow everything that another one allows: exact, by running the automaton of the one in parallel
 * with that of all others (https://en.wikipedia.org/wiki/Powerset_construction), and in bounded work.
 */
import { RE2Set } from 're2js'
import type { Authority, CompiledAuthority } from './authority.ts'
import { includesMethod, knownMethods } from './method.ts'
import { compilePathPattern } from './path-pattern.ts'
import { conditionsKey, conditionsOf } from './record-conditions.ts'

/** A request that the one authority allows and none of the others. */
export interface NotHeld {
  readonly method: string
  /** The shortest such path; undefined if bounded work could not decide whether there is one. */
  readonly path: string | undefined
}

/** The work limit of one instance: states times kinds of characters. */
const workLimit = 100_000
/** How many authorities are compared at once. */
const heldLimit = 200

/** How much work has been done for comparisons that share one bound. */
export interface ContainmentWork {
  done: number
}

/**
 * Compares authorities with held ones. One with conditions is held by those without any, and by those with equal ones; it
 * holds no other. The limit is for all calls of all instances with the same `work`.
 */
export class Containment {
  readonly #all: readonly CompiledAuthority[]
  /** Those without conditions. */
  readonly #held: readonly CompiledAuthority[]
  #heldByConditions: ReadonlyMap<string, readonly CompiledAuthority[]> | undefined
  readonly #known = new Map<string, string | undefined | 'unknown'>()
  readonly #automatons = new Map<string, Automaton>()
  readonly #work: ContainmentWork

  constructor(held: readonly CompiledAuthority[], work: ContainmentWork = { done: 0 }) {
    this.#all = held
    this.#held = held.filter(({ conditions }) => conditions === undefined)
    this.#work = work
  }

  /** Whether single authorities obviously allow every method on every path. */
  holdsEverything(): boolean {
    return knownMethods.every((method) =>
      this.#held.some(({ regex, methods }) => isEveryPath(regex) && includesMethod(methods, method)),
    )
  }

  /** The part of an authority that is not held; undefined if all of it is. */
  notHeld(authority: Authority): NotHeld | undefined {
    const { regex, methods } = authority
    const comparable = this.#comparableWith(authority)
    for (const method of methods) {
      const held = comparable.filter((authority) => includesMethod(authority.methods, method))
      const found = this.#pathOutside(regex, held)
      if (found !== undefined) return { method, path: found === 'unknown' ? undefined : found }
    }
    return undefined
  }

  #comparableWith(authority: Authority): readonly CompiledAuthority[] {
    const conditions = conditionsOf(authority)
    if (conditions === undefined) return this.#held
    this.#heldByConditions ??= Map.groupBy(
      this.#all.filter((held) => held.conditions !== undefined),
      (held) => conditionsKey(held.conditions),
    )
    return [...this.#held, ...(this.#heldByConditions.get(conditionsKey(conditions)) ?? [])]
  }

  #pathOutside(regex: string, held: readonly CompiledAuthority[]): string | undefined | 'unknown' {
    if (held.some((authority) => isPlainlyHeld(regex, authority.regex))) return undefined
    const key = JSON.stringify([regex, ...held.map((authority) => authority.regex)])
    if (!this.#known.has(key)) this.#known.set(key, this.#search(regex, held))
    return this.#known.get(key)
  }

  #search(regex: string, held: readonly CompiledAuthority[]): string | undefined | 'unknown' {
    if (this.#work.done > workLimit) return 'unknown'
    const pattern = compilePathPattern(regex)
    if (typeof pattern !== 'function') return 'unknown'
    if (pattern.start === undefined) return undefined
    const { start } = pattern
    const near = held
      .filter((one) => one.matches.start !== undefined)
      .filter(({ matches }) => matches.start?.startsWith(start) || start.startsWith(matches.start ?? ''))
    if (near.length > heldLimit) return 'unknown'
    return this.#follow(this.#automatonOf([regex]), this.#automatonOf(near.map((one) => one.regex)))
  }

  #automatonOf(regexes: readonly string[]): Automaton {
    const key = JSON.stringify(regexes)
    const automaton = this.#automatons.get(key) ?? automatonOf([...new Set(regexes)])
    if (!this.#automatons.has(key)) this.#work.done += automaton.size
    this.#automatons.set(key, automaton)
    return automaton
  }

  /** Breadth first, so that the path that is found is a short one. */
  #follow(wanted: Automaton, others: Automaton): string | undefined | 'unknown' {
    const kinds = characterKinds(wanted, others)
    const first: Pair = { wanted: wanted.first, others: others.first, afterSlash: false, before: undefined }
    const seen = new PairSet()
    const waiting = [first]
    seen.add(first)
    for (const pair of waiting) {
      for (const character of pair === first ? [slash] : kinds) {
        if (character === slash && pair.afterSlash) continue
        this.#work.done += pair.wanted.nfaStates.length + pair.others.nfaStates.length + 1
        if (this.#work.done > workLimit) return 'unknown'
        const inWanted = wanted.step(pair.wanted, character)
        const inOthers = others.step(pair.others, character)
        if (inWanted === null || inOthers === null) return 'unknown'
        if (inWanted.nfaStates.length === 0) continue
        const afterSlash = character === slash
        const next: Pair = { wanted: inWanted, others: inOthers, afterSlash, before: { pair, character } }
        if (!seen.add(next)) continue
        const isAccepted = wanted.accepts(inWanted)
        const isHeld = others.accepts(inOthers)
        if (isAccepted === undefined || isHeld === undefined) return 'unknown'
        if (isAccepted && !isHeld) return pathTo(next)
        waiting.push(next)
      }
    }
    return undefined
  }
}

/** Whether one expression obviously matches everything that another one matches. */
function isPlainlyHeld(regex: string, held: string): boolean {
  if (held === regex || isEveryPath(held)) return true
  const [, start] = /^\^?([\w/~-]+)\.\*\$?$/.exec(held) ?? []
  const text = regex.replace(/^\^/, '')
  return (
    start !== undefined &&
    text.startsWith(start) &&
    !/^[?*{]/.test(text.slice(start.length)) &&
    !text.includes('|')
  )
}

/** Expressions that match every path. */
function isEveryPath(regex: string): boolean {
  return ['.*', '.+', '/.*'].includes(regex.replace(/^\^/, '').replace(/\$$/, ''))
}

/** A state of re2js's automaton: the program positions that it stands for. */
interface State {
  readonly nfaStates: readonly number[]
  readonly isMatch: boolean
}

interface Automaton {
  readonly first: State
  /** The first character of every kind but the first. */
  readonly bounds: readonly number[]
  /** In instructions. */
  readonly size: number
  /** Null if it would be too large. */
  step(state: State, character: number): State | null
  /** Whether a path may end here; undefined if it would be too large. */
  accepts(state: State): boolean | undefined
}

const slash = 0x2f
const endOfText = -1

/** The automaton of the union of some expressions. */
function automatonOf(regexes: readonly string[]): Automaton {
  const set = new RE2Set(RE2Set.ANCHOR_BOTH)
  // For no expressions: it matches no path.
  for (const regex of regexes.length === 0 ? ['x'] : regexes) set.add(`^(?:${regex})$`)
  set.compile()
  // re2js creates the start state with the first search.
  set.match('')
  const { dfa } = set
  const [first] = dfa.startStates.values()
  const step = (state: State, kind: number, character: number): State | null =>
    dfa.step(state, kind, character, RE2Set.ANCHOR_BOTH)
  return {
    first,
    bounds: [...dfa.classBounds],
    size: set.prog.numInst(),
    step: (state, character) => step(state, dfa.runeClass(character), character),
    accepts(state) {
      const end = step(state, dfa.numClasses, endOfText)
      return end === null ? undefined : end.isMatch
    },
  }
}

/** The characters that a path can contain, as ranges: all except control characters, backslash and surrogates. */
const pathCharacters: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x5b],
  [0x5d, 0x7e],
  [0x80, 0xd7ff],
  [0xe000, 0x10ffff],
]

const readable = [...'ax1-/'].map((character) => character.charCodeAt(0))

/** One character of each kind that the automatons distinguish, readable ones first. */
function characterKinds(...automatons: readonly Automaton[]): readonly number[] {
  const bounds = new Set([slash, slash + 1, ...automatons.flatMap((automaton) => automaton.bounds)])
  const kinds = pathCharacters.flatMap(([from, to]) => {
    const inside = [...bounds].filter((bound) => bound > from && bound <= to)
    const starts = [from, ...inside].sort((a, b) => a - b)
    return starts.map((start, index) => {
      const end = (starts[index + 1] ?? to + 1) - 1
      return readable.find((character) => character >= start && character <= end) ?? start
    })
  })
  return [...new Set([...readable.filter((character) => kinds.includes(character)), ...kinds])]
}

/** The states of both automatons after the same characters. */
interface Pair {
  readonly wanted: State
  readonly others: State
  /** No path has two adjacent slashes. */
  readonly afterSlash: boolean
  readonly before: { readonly pair: Pair; readonly character: number } | undefined
}

function pathTo(last: Pair): string {
  const characters: number[] = []
  for (let { before } = last; before !== undefined; before = before.pair.before)
    characters.push(before.character)
  return String.fromCodePoint(...characters.reverse())
}

class PairSet {
  readonly #seen = new Map<State, Map<State, Set<boolean>>>()

  /** Whether it is new. */
  add({ wanted, others, afterSlash }: Pair): boolean {
    const withWanted = this.#seen.get(wanted) ?? new Map<State, Set<boolean>>()
    this.#seen.set(wanted, withWanted)
    const withBoth = withWanted.get(others) ?? new Set<boolean>()
    withWanted.set(others, withBoth)
    const isNew = !withBoth.has(afterSlash)
    withBoth.add(afterSlash)
    return isNew
  }
}
