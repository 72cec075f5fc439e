import { useState } from 'react'
import type { ApiCall } from './api-call.ts'
import classes from './apis.module.css'
import { useApis } from './apis-context.ts'
import { CodeText } from './code-text.tsx'
import { type SampleKind, sampleKinds, sampleOf } from './samples.ts'

interface CodeSamplesProps {
  readonly call: ApiCall
  readonly needsToken: boolean
}

/** A call in the language that the reader has chosen. */
export function CodeSamples({ call, needsToken }: CodeSamplesProps) {
  const { source, texts } = useApis()
  const [kind, setKind] = useState<SampleKind>('curl')
  const { gatewayUrl } = source
  return (
    <fieldset className={classes.samples}>
      <legend>{texts.samples}</legend>
      {sampleKinds.map((one) => (
        <button
          key={one}
          type="button"
          className={classes.plain}
          aria-pressed={one === kind}
          onClick={() => setKind(one)}
        >
          {texts.kindsOfSamples[one]}
        </button>
      ))}
      <CodeText text={sampleOf(kind, call, { gatewayUrl, needsToken })} />
    </fieldset>
  )
}
