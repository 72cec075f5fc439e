/**
 * Reads `engines` in package.json: `^22.21 || >=24.9` is 22.21 or newer of 22, and 24.9 or newer. Plain JavaScript, so
 * that versions that are too old read it: the executable's and the bootstrap's.
 */

/** Whether a version such as `24.9.0` satisfies the range. */
export function isNewEnough(version, range) {
  const found = version.split('.').map(Number)
  return alternativesOf(range).some(({ first, isOneMajor }) => {
    const wanted = first.split('.').map(Number)
    if (isOneMajor && found[0] !== wanted[0]) return false
    const differing = wanted.findIndex((part, index) => found[index] !== part)
    return differing === -1 || found[differing] > wanted[differing]
  })
}

/** The range in a sentence: `24.9 or newer, or 22.21 or newer of version 22`. */
export function inWords(range) {
  return alternativesOf(range)
    .reverse()
    .map(({ first, isOneMajor }) =>
      isOneMajor ? `${first} or newer of version ${first.split('.')[0]}` : `${first} or newer`,
    )
    .join(', or ')
}

function alternativesOf(range) {
  return range.split('||').map((part) => {
    const [, sign, first] = /^\s*(\^|>=)([\d.]+)\s*$/.exec(part)
    return { first, isOneMajor: sign === '^' }
  })
}
