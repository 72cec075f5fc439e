/** Whether every database can store the text unchanged: no NUL, no lone surrogate. */
export function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
