/** OpenAPI documents of the gateway, which are in English, in the language of the reader. */
import type { Document, Tag } from '../../openapi/openapi.ts'

/** Gives the text in another language, or as it is where it has no translation. */
export type Translate = (text: string) => string

/** Translations by English texts. A name in double braces stands for any text, which the translation has, too. */
export type Translations = Readonly<Record<string, string>>

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

/** The document with summaries and descriptions in another language, and labels for the tags of operations. */
export function translatedDocument(document: Document, translate: Translate): Document {
  const labelled = (tag: Tag): Tag => {
    const label = tag['x-path'] === undefined ? translate(tag.name) : tag.name
    return label === tag.name ? tag : { ...tag, label }
  }
  const translated = translatedPart(document, translate) as Document
  return { ...translated, tags: document.tags.map(labelled) }
}

/** The members of a document that hold what clients send and receive. */
const values = new Set(['enum', 'const', 'default', 'example', 'examples'])

/** Those whose own members have any names. */
const maps = new Set(['properties', 'responses'])

/** `isMap` if its members have names of their own, which mean nothing. */
function translatedPart(part: unknown, translate: Translate, isMap = false): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((item) => translatedPart(item, translate))
  const members = Object.entries(part).map(([name, value]) => {
    if (isMap) return [name, translatedPart(value, translate)]
    if ((name === 'description' || name === 'summary') && typeof value === 'string')
      return [name, translate(value)]
    return [name, values.has(name) ? value : translatedPart(value, translate, maps.has(name))]
  })
  return Object.fromEntries(members)
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
