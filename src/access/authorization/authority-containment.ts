/**
 * Whether authorities allow everything that another one allows: exact, by following the automaton of the one together
 * with that of all others at once (https://en.wikipedia.org/wiki/Powerset_construction), and in bounded work.
 */
import { RE2Set } from 're2js'
import type { Authority, CompiledAuthority } from './authority.ts'
import { includesMethod, knownMethods } from './method.ts'
import { compilePathPattern } from './path-pattern.ts'

/** A request that is allowed by the one authority and by none of the others. */
export interface NotHeld {
  readonly method: string
  /** The shortest such path; undefined where it could not be found out in bounded work whether there is one. */
  readonly path: string | undefined
}

/** States that lie together, times the characters that are told apart: for everything that one instance is asked. */
const workLimit = 100_000
/** Authorities that are followed at once. */
const heldLimit = 200

/** How much work has been done for comparisons that share one bound. */
export interface ContainmentWork {
  done: number
}

/** Compares authorities with those that somebody holds. The bound is for all calls of all instances with the same `work`. */
export class Containment {
  readonly #held: readonly CompiledAuthority[]
  readonly #known = new Map<string, string | undefined | 'unknown'>()
  readonly #automatons = new Map<string, Automaton>()
  readonly #work: ContainmentWork

  constructor(held: readonly CompiledAuthority[], work: ContainmentWork = { done: 0 }) {
    this.#held = held
    this.#work = work
  }

  /** Whether every method is held on every path by single authorities that say so plainly. */
  holdsEverything(): boolean {
    return knownMethods.every((method) =>
      this.#held.some(({ regex, methods }) => isEveryPath(regex) && includesMethod(methods, method)),
    )
  }

  /** What of an authority is not held; undefined where all of it is. */
  notHeld({ regex, methods }: Authority): NotHeld | undefined {
    for (const method of methods) {
      const held = this.#held.filter((authority) => includesMethod(authority.methods, method))
      const found = this.#pathOutside(regex, held)
      if (found !== undefined) return { method, path: found === 'unknown' ? undefined : found }
    }
    return undefined
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

/** Whether it can be seen without a comparison that one expression matches whatever another one does. */
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

/** Expressions that every path matches. */
function isEveryPath(regex: string): boolean {
  return ['.*', '.+', '/.*'].includes(regex.replace(/^\^/, '').replace(/\$$/, ''))
}

/** A state of re2js's automaton: the places in the program that it stands for. */
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
  /** Null where it would become too large. */
  step(state: State, character: number): State | null
  /** Whether a path may end here; undefined where it would become too large. */
  accepts(state: State): boolean | undefined
}

const slash = 0x2f
const endOfText = -1

/** The automaton of everything that one of some expressions matches. */
function automatonOf(regexes: readonly string[]): Automaton {
  const set = new RE2Set(RE2Set.ANCHOR_BOTH)
  // Without any expression there is nothing to follow; this one matches no path.
  for (const regex of regexes.length === 0 ? ['x'] : regexes) set.add(`^(?:${regex})$`)
  set.compile()
  // re2js makes the state that every search starts from with the first search.
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

/** The characters that a path can hold, as ranges: what control characters, a backslash and halves of characters part. */
const pathCharacters: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x5b],
  [0x5d, 0x7e],
  [0x80, 0xd7ff],
  [0xe000, 0x10ffff],
]

const readable = [...'ax1-/'].map((character) => character.charCodeAt(0))

/** One character of each kind that the automatons tell apart; readable ones where there are any, and those first. */
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

/** Where both automatons are after the same characters. */
interface Pair {
  readonly wanted: State
  readonly others: State
  /** No path has two slashes together. */
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

  /** Whether it was not there yet. */
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
