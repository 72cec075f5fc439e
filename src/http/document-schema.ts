/** What schemas of documents are made of, beside valibot's own parts. */
import * as v from 'valibot'
import { didYouMean } from '../util/did-you-mean.ts'

/** Any JSON object; valibot's own objects and records take a list for one. */
export const jsonObject = v.custom<Readonly<Record<string, unknown>>>(
  (sent) => typeof sent === 'object' && sent !== null && !Array.isArray(sent),
)

/** A JSON object with these keys and no others. Every other key is a mistake, and not only the first one. */
export function strictObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries)
  const required = known.filter((key) => !v.is(entries[key] ?? v.never(), undefined))
  // With a required key there, though undefined, its own schema says what is missing.
  const nothing = Object.fromEntries(required.map((key) => [key, undefined]))
  const content = v.object(entries)
  return v.pipe(
    jsonObject,
    v.transform((sent) => ({ ...nothing, ...sent })),
    v.lazy((input) => v.pipe(content, noOtherKeys(input as Readonly<Record<string, unknown>>, known))),
  )
}

function noOtherKeys<Content>(input: Readonly<Record<string, unknown>>, known: readonly string[]) {
  const keyList = known.length === 0 ? 'Leave it out.' : `Known keys are ${known.join(', ')}.`
  return v.rawCheck<Content>(({ addIssue }) => {
    for (const [key, value] of Object.entries(input)) {
      if (known.includes(key)) continue
      const message = `The key "${key}" is not known here${didYouMean(key, known)}. ${keyList}`
      addIssue({ message, path: [{ type: 'unknown', origin: 'key', input, key, value }] })
    }
  })
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

/** Refuses a value that a function has a sentence against; the mistake is the value's own, or that of one of its keys. */
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
