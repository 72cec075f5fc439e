/** Building blocks of document schemas, besides those of valibot. */
import * as v from 'valibot'
import { toldMistakes } from '../errors/app-error.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { shortName } from '../util/short-name.ts'

/** Any JSON object; valibot's own objects and records also accept lists. */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(
  (sent) => typeof sent === 'object' && sent !== null && !Array.isArray(sent),
)

/** A JSON object with only these keys. Every unknown key is reported, not only the first one. */
export function strictObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries)
  const required = new Set(known.filter((key) => !v.is(entries[key] ?? v.never(), undefined)))
  // If a required key is present but undefined, its own schema says what is missing.
  const pick = (sent: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      known
        .filter((key) => required.has(key) || Object.hasOwn(sent, key))
        .map((key) => [key, Object.hasOwn(sent, key) ? sent[key] : undefined]),
    )
  const content = v.object(entries)
  const schema = v.pipe(
    jsonObject,
    v.lazy((input) => {
      const sent = input as Readonly<Record<string, unknown>>
      return v.pipe(
        jsonObject,
        v.transform(() => pick(sent)),
        content,
        noOtherKeys(sent, known),
      )
    }),
  )
  return Object.assign(schema, { onlyEntries: entries })
}

function noOtherKeys<Content>(input: Readonly<Record<string, unknown>>, known: readonly string[]) {
  return v.rawCheck<Content>(({ addIssue }) => {
    let count = 0
    for (const key of Object.keys(input)) {
      if (known.includes(key)) continue
      count += 1
      if (count > toldMistakes + 1) return
      const expected = known.join(unknownKeySeparator)
      addIssue({ expected, path: [{ type: 'unknown', origin: 'key', input, key, value: input[key] }] })
    }
  })
}

const unknownKeySeparator = ', '

/** A key that a document must not have. */
export interface UnknownKey {
  readonly key: string
  readonly known: readonly string[]
}

/** The unknown key that an issue is about; undefined for other issues. */
export function unknownKeyIn({ type, path, expected }: v.BaseIssue<unknown>): UnknownKey | undefined {
  const last = path?.at(-1)
  if (type !== 'raw_check' || last?.origin !== 'key') return undefined
  return {
    key: String(last.key),
    known: (expected ?? '').split(unknownKeySeparator).filter((key) => key !== ''),
  }
}

/** What to do about it. */
export function unknownKeySentence({ key, known }: UnknownKey): string {
  const keyList = known.length === 0 ? 'Leave it out.' : `Known keys are ${known.join(unknownKeySeparator)}.`
  return `The key "${shortName(key)}" is not known here${didYouMean(key, known)}. ${keyList}`
}

/** A list of limited length; the items of a longer one are not checked. */
export function listOf<const Item extends v.GenericSchema>(item: Item, most: number) {
  const list = v.array(item)
  const tooLong = v.pipe(v.any(), v.maxLength(most)) as unknown as typeof list
  const schema = v.lazy((input) => (Array.isArray(input) && input.length > most ? tooLong : list))
  return Object.assign(schema, { list: { item, most } })
}

/** One of some texts. */
export function oneOf<const Options extends readonly string[]>(options: Options) {
  const list = options.map((option) => `"${option}"`).join(', ')
  return v.picklist(
    options,
    ({ input }) =>
      `This must be one of ${list}${typeof input === 'string' ? didYouMean(input, options) : ''}.`,
  )
}

/** Refuses a value if a function returns a mistake: of the value, or of one of its keys. */
export function refuse<Value>(mistakeIn: (value: NoInfer<Value>) => string | undefined, key?: keyof Value) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { value: input } = dataset
    const message = mistakeIn(input)
    if (message === undefined) return
    addIssue(
      key === undefined
        ? { message }
        : { message, path: [{ type: 'unknown', origin: 'value', input, key, value: input[key] }] },
    )
  })
}
