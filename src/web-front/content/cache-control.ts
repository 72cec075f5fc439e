const codeFile = /\.(js|mjs|css|wasm|woff2?)$/
const buildFolder = /(^|\/)(assets|static|_app)\//
const namedByContent = /[.-]([\w-]{8,64})(\.\w+)+$/

/**
 * How long browsers may cache a file of an application without revalidation: for ever if its name has a hash of its
 * content, as from bundlers; otherwise not at all.
 */
export function cacheControlOf(path: string): string {
  const [, hash] = namedByContent.exec(path) ?? []
  const isHashed =
    hash !== undefined && isContentHash(hash) && (codeFile.test(path) || buildFolder.test(path))
  return isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'
}

/** Eight characters of mixed kinds, or at least eight hexadecimal digits: neither a word nor a date. */
function isContentHash(text: string): boolean {
  const last = text.slice(-8)
  const isMixed = /[A-Z]/.test(last) && /[a-z\d]/.test(last) && !/^[A-Z]?[a-z]+$/.test(last)
  if (isMixed && (text.length === 8 || text.at(-9) === '-')) return true
  return /^[\da-f]{8,64}$/.test(text) && /[a-f]/.test(text) && /\d/.test(text)
}
