import { Fragment } from 'react'

/** A description, in which what stands between backquotes is code: https://spec.commonmark.org/0.31.2/#code-spans */
export function Described({ text }: { readonly text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key.
    <Fragment key={index}>{index % 2 === 0 ? part : <code>{part}</code>}</Fragment>
  ))
}
