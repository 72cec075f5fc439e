/** OpenAPI documents of the gateway, which are in English, in the language of the reader. */
import type { Document, Tag } from '../../openapi/openapi.ts'
import type { Translate } from '../language/translator.ts'

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
