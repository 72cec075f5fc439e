/** What a browser or a program probably meant by a path of the web front at which nothing is. */

interface PathAdviceParts {
  /** Names of the ways to log in. */
  readonly logins: readonly string[]
  /** Where calls to the backend are forwarded; absent if they are not. */
  readonly proxyPath: string | undefined
}

const ofGateway = /^\/(?:apis?|graphql|manage|logon)(?:\/|$)/

/** A sentence; undefined if nothing is known. */
export function adviceOnPath(path: string, { logins, proxyPath }: PathAdviceParts): string | undefined {
  if (path.startsWith('/auth/') && logins.length > 0) {
    return `There is nothing at this path. Logins begin at ${logins.map((name) => `/auth/${name}`).join(', ')}.`
  }
  if (ofGateway.test(path) && proxyPath !== undefined) {
    return `There is nothing at this path of the web front. Calls to the backend begin with ${proxyPath}, as in ${proxyPath}${path}.`
  }
  return undefined
}
