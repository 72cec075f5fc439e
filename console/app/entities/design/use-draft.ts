import { useEffect, useMemo, useState } from 'react'
import { useKeptForm } from '../../components/use-kept-form.ts'
import { type Definition, fieldsOf, textAt } from '../definition/definition.ts'
import type { TextLanguage } from '../definition/definition-text.ts'
import { type Mistake, mistakesBeside } from '../definition/mistakes.ts'
import type { Basis } from '../plan/use-planned-operation.ts'
import type { Design } from './design-context.ts'
import { type Draft, draftOf, inLanguage, withDefinition, withText } from './draft.ts'

/** What an edit begins with, and what is stored by now. */
export interface DraftStart {
  /** What the design begins with. */
  readonly initial: Definition
  /** What is stored; undefined for a new entity. */
  readonly stored: Definition | undefined
  /** When it was uploaded; null for a new entity. */
  readonly changedAt: string | null
}

/** A definition that is being edited. */
export interface EditedDraft {
  readonly draft: Draft
  readonly design: Design
  /** What the edit is based on. */
  readonly basis: Basis
  readonly isChanged: boolean
  /** Whether it has what was entered before a session ended. */
  readonly isRestored: boolean
  readonly setMistakes: (mistakes: readonly Mistake[]) => void
  readonly onText: (text: string) => void
  readonly onLanguage: (language: TextLanguage) => void
  /** Begins again with what is stored by now. */
  readonly restart: () => void
}

/** Edits a definition. What others upload meanwhile is shown where nothing is being edited; otherwise the plan tells of it. */
export function useDraft({ initial, ...latest }: DraftStart, isReadOnly: boolean): EditedDraft {
  const kept = useKeptForm<{ readonly basis: Omit<DraftStart, 'initial'>; readonly draft: Draft }>()
  const [basis, setBasis] = useState(kept.restored?.basis ?? latest)
  const { stored, changedAt } = basis
  const [draft, setDraft] = useState(() => kept.restored?.draft ?? draftOf(initial, 'json'))
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([])
  const { definition } = draft
  const storedName = stored === undefined ? undefined : textAt(stored, ['name'])
  const storedFields = useMemo(() => new Set(fieldsOf(stored).map(({ name }) => name)), [stored])
  const isChanged =
    draft.mistake !== undefined || JSON.stringify(definition) !== JSON.stringify(stored ?? initial)
  kept.hold(isChanged && !isReadOnly ? { basis, draft } : undefined)
  const restart = () => {
    setBasis(latest)
    setDraft((old) => draftOf(latest.stored ?? initial, old.language))
    setMistakes([])
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version counts.
  useEffect(() => {
    if (!isChanged && latest.changedAt !== changedAt) restart()
  }, [latest.changedAt])
  const change: Design['change'] = (path, update) => {
    setDraft((old) => withDefinition(old, update(old.definition)))
    setMistakes((old) => (path === 'moved' ? [] : mistakesBeside(old, path)))
  }
  return {
    draft,
    design: { definition, storedName, storedFields, mistakes, isReadOnly, change },
    basis: { name: storedName ?? textAt(definition, ['name']), changedAt },
    isChanged,
    isRestored: isChanged && kept.restored !== undefined,
    setMistakes,
    onText(text) {
      setDraft((old) => (old.text === text ? old : withText(old, text)))
      if (text !== draft.text) setMistakes([])
    },
    onLanguage: (language) => setDraft((old) => inLanguage(old, language)),
    restart,
  }
}
