import { type HeaderList, headerNamed } from './header-list.ts'

const accountHeader = headerNamed('X-Gatehouse-Account')
const rolesHeader = headerNamed('X-Gatehouse-Roles')

/** The headers that tell a target who calls: `X-Gatehouse-Account` and `X-Gatehouse-Roles`. */
export function callerHeaders(account: string, roles: readonly string[]): HeaderList {
  return [accountHeader(headerText(account)), rolesHeader(roles.map(headerText).join(', '))]
}

/**
 * Whether a header has the prefix of those that say who calls, by its spelling. Only this program sets them, but for the
 * options of a request (`isRequestOption`).
 */
export function isCallerHeader(spelling: string): boolean {
  return /^x-gatehouse(-|$)/.test(spelling)
}

/** A name for a list in a header: other characters are percent-encoded. */
function headerText(name: string): string {
  return name.toWellFormed().replaceAll(/[^\x21-\x7e]|[%,]/gu, encodeURIComponent)
}
