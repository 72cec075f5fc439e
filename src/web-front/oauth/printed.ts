const longest = 300

/** Text of a provider, fit for one line of a log or a terminal. */
export function printed(text: string): string {
  const visible = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
  return visible.slice(0, longest).replace(/[.\s]+$/, '')
}
