/** JSON whose numbers keep their digits, where JavaScript would round them. */

/** A number that JavaScript cannot hold. JSON has it as it was written, in a browser that can write it. */
export class LongNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  toJSON(): unknown {
    return (JSON as WithRawJson).rawJSON?.(this.source) ?? this.source
  }
}

/** https://tc39.es/proposal-json-parse-with-source/ */
interface WithRawJson {
  readonly rawJSON?: (text: string) => unknown
}
type WithSource = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** Parses JSON. Numbers that would change are `LongNumber`s, in a browser that tells how they were written. */
export function parseExactly(text: string): unknown {
  return parse(text, (source) => new LongNumber(source))
}

/** The same with texts in place of such numbers, which the gateway takes as well. */
export function parseWithTexts(text: string): unknown {
  return parse(text, (source) => source)
}

function parse(text: string, kept: (source: string) => unknown): unknown {
  const mayHaveLong = /[\d.]{16}|\d[eE][+-]?\d{2}/.test(text)
  if (!mayHaveLong) return JSON.parse(text)
  const keepLong: WithSource = (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
      ? kept(context.source)
      : value
  return JSON.parse(text, keepLong as Parameters<typeof JSON.parse>[1])
}

/** The first number in a value that JavaScript cannot hold. */
export function longNumberIn(value: unknown): LongNumber | undefined {
  if (value instanceof LongNumber) return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const member of Object.values(value)) {
    const found = longNumberIn(member)
    if (found !== undefined) return found
  }
  return undefined
}

/** No number needs this many characters. */
const longestNumber = 1000

function isExact(value: number, source: string): boolean {
  if (source.length > longestNumber || !Number.isFinite(value)) return false
  return digitsOf(String(value)) === digitsOf(source)
}

/** `-1200e3` as `-12e5`, so that two texts are the same if the numbers are. */
function digitsOf(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (trimmed === '') return '0'
  return `${sign}${trimmed}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - trimmed.length)}`
}
