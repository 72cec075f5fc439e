import { useState } from 'react'
import classes from './apis.module.css'
import { useApis } from './apis-context.ts'

/** A text in a formal language, with a button that copies it. */
export function CodeText({ text }: { readonly text: string }) {
  const { texts } = useApis()
  const [copied, setCopied] = useState<string>()
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text)
    setCopied(text)
  }
  return (
    <div className={classes.code}>
      {/* Browsers have it only where the page comes by HTTPS or from this machine. */}
      {'clipboard' in navigator ? (
        <button type="button" className={classes.plain} onClick={() => void copy()}>
          {copied === text ? texts.copied : texts.copy}
        </button>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  )
}
