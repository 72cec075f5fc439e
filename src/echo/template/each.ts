import Handlebars from 'handlebars'

/** The slice of a list to write now. The writer sets the length of the list. */
export interface Slice {
  from: number
  to: number
  length: number
}

interface EachOptions {
  readonly fn: (
    context: unknown,
    options: { readonly data: unknown; readonly blockParams: unknown[] },
  ) => string
  readonly inverse: (context: unknown) => string
  readonly data: { readonly slice?: Slice | undefined }
}

/** `{{#each list}}`, with `@index`, `@key`, `@first` and `@last`, for a list or the own properties of an object. */
export function each(this: unknown, items: unknown, options: EachOptions): string {
  const { slice } = options.data
  const entries = entriesOf(items)
  if (slice !== undefined) slice.length = entries.length
  if (entries.length === 0) return options.inverse(this)
  const to = Math.min(slice?.to ?? entries.length, entries.length)
  let text = ''
  for (let index = slice?.from ?? 0; index < to; index += 1) {
    const [key, item] = entries.at(index)
    const frame = Handlebars.createFrame(options.data)
    Object.assign(frame, {
      key,
      index,
      first: index === 0,
      last: index === entries.length - 1,
      slice: undefined,
    })
    text += options.fn(item, { data: frame, blockParams: [item, key] })
  }
  return text
}

interface Entries {
  readonly length: number
  at(index: number): readonly [string | number, unknown]
}

function entriesOf(items: unknown): Entries {
  if (Array.isArray(items)) return { length: items.length, at: (index) => [index, items[index]] }
  if (typeof items !== 'object' || items === null) return { length: 0, at: (index) => [index, undefined] }
  const entries = Object.entries(items)
  return { length: entries.length, at: (index) => entries[index] ?? [index, undefined] }
}
