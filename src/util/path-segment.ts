// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbidden = /[\u0000-\u001f\u007f\\/]/

/**
 * Why a decoded text cannot be a path segment that every program reads in the same way; undefined
 * if it can.
 */
export function segmentMistake(segment: string): string | undefined {
  if (forbidden.test(segment)) return 'an encoded slash, backslash or control character'
  return /^\.{1,2}(;|$)/.test(segment) ? 'a dot segment' : undefined
}
