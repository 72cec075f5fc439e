/** Editors end a file with a line end, which is not part of the secret. */
export function withoutLineEnd(content: string): string {
  return content.replace(/\r?\n$/, '')
}
