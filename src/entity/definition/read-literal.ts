/** Reads one value written as in JSON or as in Python. */
import { parseDecimal } from '../../util/decimal-text.ts'

/** The position of a syntax error, and what was expected there. */
export class LiteralMistake extends Error {
  /** Counted from 1. */
  readonly position: number

  constructor(index: number, message: string) {
    super(message)
    this.position = index + 1
  }
}

const depthLimit = 32
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
])
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** The value of the whole text. Throws `LiteralMistake`. */
export function readLiteral(text: string): unknown {
  const reader = new LiteralReader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

class LiteralReader {
  readonly #text: string
  #index = 0

  constructor(text: string) {
    this.#text = text
    this.#skipBlanks()
  }

  value(depth: number): unknown {
    if (depth > depthLimit) throw this.#mistake(`it is nested deeper than ${depthLimit} levels`)
    if (this.#take('[')) return this.#list(depth)
    if (this.#take('{')) return this.#object(depth)
    const quote = this.#text[this.#index]
    if (quote === '"' || quote === "'") return this.#quoted(quote)
    return this.#number() ?? this.#word()
  }

  end(): void {
    if (this.#index < this.#text.length) throw this.#unexpected('the end')
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = []
    if (this.#take(']')) return items
    do items.push(this.value(depth + 1))
    while (this.#take(','))
    this.#expect(']')
    return items
  }

  #object(depth: number): Readonly<Record<string, unknown>> {
    const members: [string, unknown][] = []
    if (this.#take('}')) return {}
    do {
      const quote = this.#text[this.#index]
      if (quote !== '"' && quote !== "'") throw this.#unexpected('a key in quotes')
      const key = this.#quoted(quote)
      this.#expect(':')
      members.push([key, this.value(depth + 1)])
    } while (this.#take(','))
    this.#expect('}')
    return Object.fromEntries(members)
  }

  #quoted(quote: string): string {
    const start = this.#index
    let value = ''
    for (this.#index += 1; this.#text[this.#index] !== quote; this.#index += 1) {
      const character = this.#text[this.#index]
      if (character === undefined) throw new LiteralMistake(start, 'this quote is never closed')
      value += character === '\\' ? this.#escape() : character
    }
    this.#index += 1
    this.#skipBlanks()
    return value
  }

  /** Leaves the index at the last character of the escape. */
  #escape(): string {
    this.#index += 1
    const letter = this.#text[this.#index] ?? ''
    const plain = escapes.get(letter)
    if (plain !== undefined) return plain
    const digits = letter === 'u' ? this.#text.slice(this.#index + 1, this.#index + 5) : ''
    if (!/^[0-9A-Fa-f]{4}$/.test(digits)) throw this.#mistake('this escape is not known')
    this.#index += 4
    return String.fromCharCode(Number.parseInt(digits, 16))
  }

  #number(): number | undefined {
    const text = this.#match(/[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y)
    if (text === undefined) return undefined
    const value = Number(text)
    if (Number.isFinite(value) && parseDecimal(text) === parseDecimal(String(value))) {
      this.#index += text.length
      this.#skipBlanks()
      return value
    }
    throw this.#mistake('a number does not keep all digits of this one; write it in quotes')
  }

  #word(): unknown {
    const word = this.#match(/[A-Za-z_][\w.]*/y)
    if (word === undefined) throw this.#unexpected('a value')
    if (!words.has(word)) throw this.#mistake(`"${word}" is not known; a text is written in quotes`)
    this.#index += word.length
    this.#skipBlanks()
    return words.get(word)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#index
    return pattern.exec(this.#text)?.[0]
  }

  #take(character: string): boolean {
    if (this.#text[this.#index] !== character) return false
    this.#index += 1
    this.#skipBlanks()
    return true
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw this.#unexpected(`"${character}"`)
  }

  #skipBlanks(): void {
    this.#index += this.#match(/\s*/y)?.length ?? 0
  }

  #unexpected(expected: string): LiteralMistake {
    const came = this.#text.slice(this.#index, this.#index + 20)
    return this.#mistake(
      `${expected} was expected, and ${came === '' ? 'nothing' : JSON.stringify(came)} came`,
    )
  }

  #mistake(message: string): LiteralMistake {
    return new LiteralMistake(this.#index, message)
  }
}
