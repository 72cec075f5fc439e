import { readFile, stat } from 'node:fs/promises'

/** The text of an HTML file, read again when the file changes. */
export class PageFile {
  readonly #path: string
  #read: { readonly version: string; readonly text: string } | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Throws as `readFile` does. */
  async text(): Promise<string> {
    const { mtimeMs, size, ino } = await stat(this.#path)
    const version = `${mtimeMs} ${size} ${ino}`
    if (this.#read?.version !== version) {
      this.#read = { version, text: await readFile(this.#path, 'utf8') }
    }
    return this.#read.text
  }
}

/** Stands for the nonce in a page whose scripts make styles: https://vite.dev/guide/features#content-security-policy-csp */
const noncePlaceholder = '__CSP_NONCE__'

/**
 * Adds the nonce to every script and style of a page, and writes it in place of the placeholder. The page is a file of the operator, and nothing from a request is
 * ever written into it.
 */
export function withNonce(html: string, nonce: string): string {
  // Without quotes, since the word may be within a string of a script.
  return html
    .replaceAll(/<(script|style)(?=[\s>])(?![^>]*\snonce=)/gi, `<$1 nonce=${nonce}`)
    .replaceAll(noncePlaceholder, nonce)
}
