import { parseDecimal } from '../../../util/decimal-text.ts'

/** The names of `DecimalSum.total` and `.average` in SQL, on every connection. */
export const decimalSumFunction = 'gatehouse_sum'
export const decimalAverageFunction = 'gatehouse_average'

/** Adds numbers exactly: integers of any size, texts of decimals, and other numbers by their shown digits. */
export class DecimalSum {
  /** By the number of decimal places: the sum of the digits. */
  readonly #sums = new Map<number, bigint>()
  /** The sum of infinite numbers. */
  #infinite = 0
  #count = 0

  /** Leaves out what is not a number. */
  add(value: unknown): this {
    if (typeof value === 'bigint') return this.#add(value, 0)
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.#infinite += value
      this.#count += 1
      return this
    }
    if (typeof value !== 'number' && typeof value !== 'string') return this
    const text = plainForm.test(String(value)) ? String(value) : parseDecimal(String(value), mostDigits)
    if (text === undefined) return this
    const point = text.indexOf('.')
    if (point === -1) return this.#add(BigInt(text), 0)
    return this.#add(BigInt(text.slice(0, point) + text.slice(point + 1)), text.length - point - 1)
  }

  #add(digits: bigint, places: number): this {
    this.#sums.set(places, (this.#sums.get(places) ?? 0n) + digits)
    this.#count += 1
    return this
  }

  /** The sum as a decimal in its canonical form; null without numbers. */
  get total(): string | null {
    if (this.#count === 0) return null
    if (this.#infinite !== 0) return String(this.#infinite)
    const places = Math.max(...this.#sums.keys())
    let total = 0n
    for (const [own, digits] of this.#sums) total += digits * 10n ** BigInt(places - own)
    return parseDecimal(`${total}e-${places}`, mostDigits) ?? null
  }

  /** The sum as a 64-bit number, divided by the number of numbers; null without numbers. */
  get average(): number | null {
    return this.#count === 0 ? null : Number(this.total) / this.#count
  }
}

const plainForm = /^-?\d+(?:\.\d+)?$/

/** More than any value has. */
const mostDigits = 200_000
