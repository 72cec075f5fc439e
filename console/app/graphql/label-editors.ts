/** Names for the text fields of GraphiQL's editors, which have none for screen readers. */
export interface EditorLabels {
  readonly query: string
  readonly variables: string
  readonly headers: string
  readonly response: string
}

const placesOf = (labels: EditorLabels) =>
  [
    ['.graphiql-query-editor', labels.query],
    ['.graphiql-editor-tool .graphiql-editor:first-child', labels.variables],
    ['.graphiql-editor-tool .graphiql-editor:last-child', labels.headers],
    ['.graphiql-response', labels.response],
  ] as const

/** Labels the editors within an element, also those that appear later. Gives what ends that. */
export function labelEditors(place: HTMLElement, labels: EditorLabels): () => void {
  const label = () => {
    for (const [selector, text] of placesOf(labels)) {
      for (const field of place.querySelectorAll(`${selector} .CodeMirror textarea`)) {
        if (field.getAttribute('aria-label') !== text) field.setAttribute('aria-label', text)
      }
    }
  }
  const observer = new MutationObserver(label)
  observer.observe(place, { childList: true, subtree: true })
  label()
  return () => observer.disconnect()
}
