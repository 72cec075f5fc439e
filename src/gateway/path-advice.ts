import type { Route } from '../http/routes.ts'
import { nearestName } from '../util/nearest-name.ts'

/**
 * What a caller probably meant by a path at which nothing is, as a sentence; undefined if that is not known. It tells
 * nothing but the gateway's own paths, which are the same everywhere.
 */
export function pathAdvice(routes: readonly Route[]): (path: string) => string | undefined {
  const fixed = routes.map(({ path }) => path).filter((path) => !/[:*]/.test(path))
  return (path) => {
    const [, first, ...rest] = path.split('/')
    if ((first === 'api' || first === 'rest') && rest[0] !== undefined) {
      return `There is nothing at this path. Published APIs are below /apis: /apis/${rest.join('/')}.`
    }
    const meant = nearestName(path.replace(/(?<=.)\/$/, ''), fixed)
    return meant === undefined ? undefined : `There is nothing at this path. Did you mean ${meant}?`
  }
}
