/** What the gateway says in English, in the language of the reader. */
import type { Language } from './languages.ts'

/** Gives the text in another language, or as it is where it has no translation. */
export type Translate = (text: string) => string

/** Translations by English texts. A name in double braces stands for any text, which the translation has, too. */
export type Translations = Readonly<Record<string, string>>

/** Loads the translations of each language that has some. */
export type LoadTranslations = Readonly<Partial<Record<Language, () => Promise<Translations>>>>

/** Translates whole texts, or each sentence by itself: the gateway puts remarks one behind the other. */
export function translatorFor(translations: Translations): Translate {
  const patterns = Object.entries(translations).flatMap(([text, translation]) =>
    text.includes('{{') ? [{ pattern: patternOf(text), translation }] : [],
  )
  const known = (text: string): string | undefined => {
    if (Object.hasOwn(translations, text)) return translations[text]
    for (const { pattern, translation } of patterns) {
      const values = pattern.exec(text)?.groups
      if (values !== undefined)
        return translation.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
    }
    return undefined
  }
  return (text) =>
    known(text) ?? joined(text.split(/(?<=\.) (?=\S)/).map((sentence) => [sentence, known(sentence)]))
}

/** `The {{field}} of a {{name}}.` as a regular expression; a name stands for a part of a sentence, and for the same one if it comes again. */
function patternOf(text: string): RegExp {
  const seen = new Set<string>()
  const source = text.split(/\{\{(\w+)\}\}/).map((piece, index) => {
    if (index % 2 === 0) return piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    const group = seen.has(piece) ? `\\k<${piece}>` : `(?<${piece}>(?:(?!\\. ).)+?)`
    seen.add(piece)
    return group
  })
  return new RegExp(`^${source.join('')}$`, 's')
}

/** Sentences with their translations; blanks stand beside those in English. */
function joined(sentences: readonly (readonly [string, string | undefined])[]): string {
  return sentences
    .map(([sentence, translation], index) => {
      const isBlank = index > 0 && (translation === undefined || sentences[index - 1]?.[1] === undefined)
      return (isBlank ? ' ' : '') + (translation ?? sentence)
    })
    .join('')
}
