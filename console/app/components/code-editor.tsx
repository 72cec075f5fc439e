import { Input } from '@mantine/core'
import { Suspense, useId } from 'react'
import { lazily } from './lazily.tsx'
import { Loading } from './loading.tsx'

const CodeMirror = lazily(async () => (await import('./code-mirror.tsx')).CodeMirror)

export interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly language: 'json' | 'yaml' | 'text'
  readonly description?: string
  readonly error?: string | undefined
  readonly isReadOnly?: boolean
  /** CSS height; by default it grows with its text. */
  readonly height?: string
  readonly onChange?: (value: string) => void
}

/** A text in a formal language, with its syntax coloured. Its code is loaded when it is shown first. */
export function CodeEditor({ label, description, error, ...props }: CodeEditorProps) {
  const id = useId()
  return (
    <Input.Wrapper
      label={label}
      labelProps={{ id }}
      labelElement="div"
      description={description}
      error={error}
    >
      <Suspense fallback={<Loading />}>
        <CodeMirror labelledBy={id} {...props} />
      </Suspense>
    </Input.Wrapper>
  )
}
