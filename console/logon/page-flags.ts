/** What the gateway says about a page, in attributes of its document. */
export interface PageFlags {
  /** Whether anyone may use it without logging on. */
  readonly isPublic: boolean
  /** Whether one needs an API key to log on. */
  readonly asksKey: boolean
}

/** The flags of this page. */
export function pageFlags(): PageFlags {
  const { public: isPublic, key } = document.documentElement.dataset
  return { isPublic: isPublic === 'yes', asksKey: key === 'asked' }
}
