import type { ConfiguredOption } from './read-options.ts'

/** The options that hold all of some words in their key or description; only those that someone has set if asked for. */
export function matchingOptions(
  options: readonly ConfiguredOption[],
  words: string,
  isSetOnly: boolean,
): readonly ConfiguredOption[] {
  const wanted = words.toLowerCase().split(/\s+/)
  return options.filter(({ key, description, source }) => {
    const text = `${key} ${description}`.toLowerCase()
    const isSet = source !== null && source !== 'default'
    return (isSet || !isSetOnly) && wanted.every((word) => text.includes(word))
  })
}
