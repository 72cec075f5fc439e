import { type HeaderList, headerNamed } from './header-list.ts'

const accountHeader = headerNamed('X-Gatehouse-Account')
const rolesHeader = headerNamed('X-Gatehouse-Roles')

/** The headers that tell a target who calls: `X-Gatehouse-Account` and `X-Gatehouse-Roles`. */
export function callerHeaders(account: string, roles: readonly string[]): HeaderList {
  return [accountHeader(headerText(account)), rolesHeader(roles.map(headerText).join(', '))]
}

/** Whether a header says who calls, by its spelling: only this program sets it. */
export function isCallerHeader(spelling: string): boolean {
  return /^x-gatehouse(-|$)/.test(spelling)
}

/** A name for a list in a header: other characters are percent-encoded. */
function headerText(name: string): string {
  return name.toWellFormed().replaceAll(/[^\x21-\x7e]|[%,]/gu, encodeURIComponent)
}
