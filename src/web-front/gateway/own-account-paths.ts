/** What the web front does at the gateway with an account of its own. */
export interface OwnAccountWork {
  /** Whether people log in with their username and password of the gateway. */
  readonly checksLogons: boolean
  /** Whether it makes tokens for those who have logged in. */
  readonly makesTokens: boolean
  /** Role of accounts that are created at their first login; without one none are created. */
  readonly roleOfNewAccounts?: string
}

/** The paths on which the role of the web front's own account at the gateway must allow `POST`, and nothing else. */
export function ownAccountPaths({
  checksLogons,
  makesTokens,
  roleOfNewAccounts,
}: OwnAccountWork): readonly string[] {
  return [
    ...(makesTokens ? ['/manage/tokens'] : []),
    ...(makesTokens && roleOfNewAccounts !== undefined ? ['/manage/accounts'] : []),
    ...(checksLogons ? ['/manage/logon-checks'] : []),
  ]
}
