/** A definition that is being edited, as data and as text at the same time. */
import type { Definition } from '../definition/definition.ts'
import { patchedText, readText, type TextLanguage, textOf } from '../definition/definition-text.ts'

export interface Draft {
  /** The last definition that could be read. */
  readonly definition: Definition
  readonly language: TextLanguage
  readonly text: string
  /** Why the text cannot be read; null if it says something else than a definition, undefined if it can be read. */
  readonly mistake: string | null | undefined
}

/** Begins to edit a definition. */
export function draftOf(definition: Definition, language: TextLanguage): Draft {
  return { definition, language, text: textOf(definition, language), mistake: undefined }
}

/** The form was edited: the text follows. */
export function withDefinition(draft: Draft, definition: Definition): Draft {
  if (definition === draft.definition) return draft
  return {
    ...draft,
    definition,
    text: patchedText(draft.text, draft.language, definition),
    mistake: undefined,
  }
}

/** The text was edited: the definition follows as soon as the text can be read. */
export function withText(draft: Draft, text: string): Draft {
  const reading = readText(text, draft.language)
  return 'definition' in reading
    ? { ...draft, text, definition: reading.definition, mistake: undefined }
    : { ...draft, text, mistake: reading.mistake ?? null }
}

/** The same in another language. */
export function inLanguage(draft: Draft, language: TextLanguage): Draft {
  return language === draft.language ? draft : draftOf(draft.definition, language)
}
