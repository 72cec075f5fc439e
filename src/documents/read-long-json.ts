/**
 * Reads a long JSON text in time slices, under the rules of `parseJsonBody`. It takes several times
 * as long as `JSON.parse`, but does not block other requests.
 */
import { AppError } from '../errors/app-error.ts'
import { TimeSlices } from '../util/time-slices.ts'
import { depthLimit, duplicateMistake, readNumber, unreadable } from './json-rules.ts'
import { endOfString } from './json-text.ts'

/** Objects, lists, texts, numbers and so on; more of them take too much memory. */
const valueLimit = 1_000_000

/** In one object: one with more keys takes long to build. */
const keyLimit = 20_000

/** The clock is checked after this many steps or blanks. */
const stepsPerLook = 256
const blanksAtOnce = 65_536

type Container = unknown[] | Record<string, unknown>

/** What may come next. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing'

/** The value of a JSON text. Throws BODY_UNREADABLE, or BODY_TOO_LARGE where it holds too many values. */
export async function readLongJson(text: string): Promise<unknown> {
  const reader = new JsonReader(text)
  const slices = new TimeSlices()
  while (reader.readSome(stepsPerLook)) if (slices.isOver) await slices.next()
  return reader.result
}

class JsonReader {
  readonly #text: string
  #at = 0
  #expected: Expected = 'value'
  #values = 0
  /** The open containers, from the outermost. */
  readonly #open: Container[] = []
  /** For each of them the key whose value comes next, and the number of keys. */
  readonly #keys: string[] = []
  readonly #keyCounts: number[] = []
  result: unknown

  constructor(text: string) {
    this.#text = text
  }

  /** Takes some steps; false when the whole text has been read. */
  readSome(steps: number): boolean {
    for (let step = 0; step < steps; step += 1) {
      if (this.#skipsManyBlanks()) return true
      if (this.#at < this.#text.length) this.#read()
      else if (this.#expected === 'nothing') return false
      else throw this.#unexpected()
    }
    return true
  }

  /** Whether there may be more blanks after those that were skipped. */
  #skipsManyBlanks(): boolean {
    const end = Math.min(this.#text.length, this.#at + blanksAtOnce)
    while (this.#at < end && isBlank(this.#text.charCodeAt(this.#at))) this.#at += 1
    return this.#at === end && end < this.#text.length
  }

  #read(): void {
    const sign = this.#text[this.#at]
    switch (this.#expected) {
      case 'value':
        this.#readValue()
        break
      case 'value or end':
        if (sign === ']') this.#close()
        else this.#readValue()
        break
      case 'key':
        this.#readKey()
        break
      case 'key or end':
        if (sign === '}') this.#close()
        else this.#readKey()
        break
      case 'colon':
        this.#readColon()
        break
      case 'comma or end':
        this.#readSeparator()
        break
      case 'nothing':
        throw this.#unexpected()
    }
  }

  #readSeparator(): void {
    const isList = Array.isArray(this.#open.at(-1))
    const sign = this.#text[this.#at]
    if (sign === (isList ? ']' : '}')) {
      this.#close()
      return
    }
    if (sign !== ',') throw this.#unexpected()
    this.#at += 1
    this.#expected = isList ? 'value' : 'key'
  }

  #readKey(): void {
    if (this.#text[this.#at] !== '"') throw this.#unexpected()
    const key = this.#readText()
    const object = this.#open.at(-1) as Record<string, unknown>
    if (key === '__proto__') throw unreadable('The key "__proto__" is not allowed.')
    if (Object.hasOwn(object, key)) throw duplicateMistake({ key, path: this.#path() })
    const innermost = this.#keys.length - 1
    const count = (this.#keyCounts[innermost] ?? 0) + 1
    if (count > keyLimit) {
      throw new AppError('BODY_TOO_LARGE', { detail: `An object has at most ${keyLimit} keys here.` })
    }
    this.#keys[innermost] = key
    this.#keyCounts[innermost] = count
    this.#expected = 'colon'
  }

  #readColon(): void {
    if (this.#text[this.#at] !== ':') throw this.#unexpected()
    this.#at += 1
    this.#expected = 'value'
  }

  #readValue(): void {
    this.#values += 1
    if (this.#values > valueLimit) {
      const detail = `The JSON holds more than ${valueLimit} values. Send less at a time.`
      throw new AppError('BODY_TOO_LARGE', { detail })
    }
    switch (this.#text[this.#at]) {
      case '{':
        this.#begin({})
        break
      case '[':
        this.#begin([])
        break
      case '"':
        this.#add(this.#readText())
        break
      case 't':
        this.#add(this.#readWord('true', true))
        break
      case 'f':
        this.#add(this.#readWord('false', false))
        break
      case 'n':
        this.#add(this.#readWord('null', null))
        break
      default:
        this.#add(this.#readNumber())
    }
  }

  #begin(container: Container): void {
    if (this.#open.length === depthLimit)
      throw unreadable(`The JSON is nested deeper than ${depthLimit} levels.`)
    this.#at += 1
    this.#put(container)
    this.#open.push(container)
    this.#keys.push('')
    this.#keyCounts.push(0)
    this.#expected = Array.isArray(container) ? 'value or end' : 'key or end'
  }

  #close(): void {
    this.#at += 1
    this.#open.pop()
    this.#keys.pop()
    this.#keyCounts.pop()
    this.#expected = this.#open.length === 0 ? 'nothing' : 'comma or end'
  }

  #add(value: unknown): void {
    this.#put(value)
    this.#expected = this.#open.length === 0 ? 'nothing' : 'comma or end'
  }

  #put(value: unknown): void {
    const container = this.#open.at(-1)
    if (container === undefined) this.result = value
    else if (Array.isArray(container)) container.push(value)
    else container[this.#keys.at(-1) ?? ''] = value
  }

  #readText(): string {
    const start = this.#at
    const end = endOfString(this.#text, start)
    if (end === -1) throw unreadable('The body is not valid JSON: a string in it is not terminated.')
    this.#at = end + 1
    const content = this.#text.slice(start + 1, end)
    if (!needsReading.test(content)) return content
    try {
      return JSON.parse(this.#text.slice(start, end + 1)) as string
    } catch (error) {
      throw unreadable(`The body is not valid JSON: the string at position ${start} is invalid.`, error)
    }
  }

  #readWord<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected()
    this.#at += word.length
    return value
  }

  #readNumber(): number {
    jsonNumber.lastIndex = this.#at
    const source = jsonNumber.exec(this.#text)?.[0]
    if (source === undefined) throw this.#unexpected()
    this.#at += source.length
    return readNumber(source)
  }

  /** The keys and indexes that lead to the innermost container. */
  #path(): readonly string[] {
    return this.#open
      .slice(0, -1)
      .map((container, depth) =>
        Array.isArray(container) ? String(container.length - 1) : (this.#keys[depth] ?? ''),
      )
  }

  #unexpected(): AppError {
    const found = this.#text[this.#at]
    const what = found === undefined ? 'it ends too early' : `${JSON.stringify(found)} is not expected`
    return unreadable(`The body is not valid JSON: ${what} at position ${this.#at}.`)
  }
}

/** A backslash, or a character that must be escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: https://www.rfc-editor.org/rfc/rfc8259#section-7
const needsReading = /[\\\u0000-\u001f]/

const jsonNumber = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** https://www.rfc-editor.org/rfc/rfc8259#section-2 */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
