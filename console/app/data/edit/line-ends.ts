/** The ends of lines, which a textarea knows only as line feeds: https://html.spec.whatwg.org/#concept-textarea-api-value */

/** A text as a textarea holds it. */
export function asInTextarea(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

/** Gives a text of a textarea the ends of lines of the text that it replaces, if those are all CRLF. */
export function lineEndsOf(before: string | null | undefined): (text: string) => string {
  const isWindows = before?.includes('\r\n') === true && !/[\r\n]/.test(before.replaceAll('\r\n', ''))
  return (text) => (isWindows ? text.replaceAll('\n', '\r\n') : text)
}
