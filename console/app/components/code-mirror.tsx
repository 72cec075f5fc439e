import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { oneDarkHighlightStyle } from '@codemirror/theme-one-dark'
import { EditorView, keymap } from '@codemirror/view'
import type { Highlighter } from '@lezer/highlight'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { pageNonce } from '../page-nonce.ts'
import type { CodeEditorProps } from './code-editor.tsx'

type CodeMirrorProps = Omit<CodeEditorProps, 'label' | 'description' | 'error'> & {
  readonly labelledBy: string
}

const languages = { json: () => json(), yaml: () => yaml(), text: () => [] } as const

/** The editor of `CodeEditor`: https://codemirror.net/ */
export function CodeMirror({
  labelledBy,
  value,
  language,
  isReadOnly = false,
  height,
  onChange,
}: CodeMirrorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useRef(onChange)
  changed.current = onChange
  const isDark = useComputedColorScheme() === 'dark'
  const text = useRef(value)
  text.current = value

  useEffect(() => {
    if (place.current === null) return undefined
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text.current,
        extensions: [
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          languages[language](),
          EditorView.lineWrapping,
          EditorView.cspNonce.of(pageNonce),
          EditorView.contentAttributes.of({ 'aria-labelledby': labelledBy, tabindex: '0' }),
          EditorState.readOnly.of(isReadOnly),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current?.(update.state.doc.toString())
          }),
          appearance(isDark, height),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [language, isReadOnly, height, isDark, labelledBy])

  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  return <div ref={place} />
}

// The packages' own types differ where absent and undefined are told apart.
const lightColours = syntaxHighlighting(defaultHighlightStyle as Highlighter)
const darkColours = syntaxHighlighting(oneDarkHighlightStyle as Highlighter)

function appearance(isDark: boolean, height: string | undefined): Extension {
  const colours = isDark ? darkColours : lightColours
  const frame = EditorView.theme(
    {
      '&': {
        ...(height === undefined ? {} : { height }),
        border: '1px solid var(--mantine-color-default-border)',
        borderRadius: 'var(--mantine-radius-md)',
        // A lighter ground has too little contrast with the colours for the dark.
        backgroundColor: isDark ? 'var(--mantine-color-body)' : 'var(--mantine-color-default)',
        fontSize: 'var(--mantine-font-size-sm)',
      },
      '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)' },
      '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', minHeight: '3rem' },
      '.cm-content': { caretColor: 'var(--mantine-color-text)' },
    },
    { dark: isDark },
  )
  return [colours, frame]
}
