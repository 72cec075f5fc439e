/** Whether every database can keep the text as it is: no NUL, no half of a surrogate pair. */
export function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
