/** What GraphiQL lacks for screen readers and keyboards, set on its elements after each change. */

/** Names for the text fields of its editors. */
export interface EditorLabels {
  readonly query: string
  readonly variables: string
  readonly headers: string
  readonly response: string
}

/** Amends the elements within an element, also those that appear later. Gives what ends that. */
export function makeAccessible(place: HTMLElement, labels: EditorLabels): () => void {
  const amend = () => {
    labelEditors(place, labels)
    showTabsAsList(place)
    // The text of an editor scrolls, and its hidden field is not within.
    for (const text of place.querySelectorAll('.CodeMirror-scroll')) set(text, 'tabindex', '0')
    // Their texts say more.
    for (const button of place.querySelectorAll('.graphiql-history-item-label')) {
      button.removeAttribute('aria-label')
    }
  }
  const observer = new MutationObserver(amend)
  const attributeFilter = ['role', 'aria-selected', 'aria-label', 'tabindex']
  observer.observe(place, { childList: true, subtree: true, attributes: true, attributeFilter })
  amend()
  return () => observer.disconnect()
}

function labelEditors(place: HTMLElement, labels: EditorLabels): void {
  const fields = [
    ['.graphiql-query-editor', labels.query],
    ['.graphiql-editor-tool .graphiql-editor:first-child', labels.variables],
    ['.graphiql-editor-tool .graphiql-editor:last-child', labels.headers],
    ['.graphiql-response', labels.response],
  ] as const
  for (const [selector, label] of fields) {
    for (const field of place.querySelectorAll(`${selector} .CodeMirror textarea`)) {
      set(field, 'aria-label', label)
    }
  }
}

/** A tab must not hold buttons, and here each holds two: to select it, and to close it. */
function showTabsAsList(place: HTMLElement): void {
  for (const list of place.querySelectorAll('.graphiql-tabs')) set(list, 'role', 'list')
  for (const item of place.querySelectorAll('.graphiql-tabs > .graphiql-tab')) {
    const isCurrent = item.classList.contains('graphiql-tab-active')
    set(item, 'role', 'listitem')
    item.removeAttribute('aria-selected')
    const button = item.querySelector('.graphiql-tab-button')
    if (button !== null) set(button, 'aria-current', String(isCurrent))
  }
  for (const panel of place.querySelectorAll('[role="tabpanel"]')) set(panel, 'role', 'group')
}

function set(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}
