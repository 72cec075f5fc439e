import { rolesNamedBy } from '../../util/claim-rules.ts'
import type { ProviderSettings } from '../login/provider-settings.ts'

/** What the web front does at the gateway with an account of its own. */
export interface OwnAccountWork {
  /** Whether people log in with their username and password of the gateway. */
  readonly checksLogons: boolean
  /** Whether it makes tokens for those who have logged in. */
  readonly makesTokens: boolean
  /** Whether claims decide about roles or metadata of accounts, at each login. */
  readonly changesAccounts?: boolean
  /** Roles that claims may give. */
  readonly rolesFromClaims?: readonly string[]
  /** Role of accounts that claims give none; without one no accounts are created for these. */
  readonly roleOfNewAccounts?: string
}

/** A call that the role of the web front's own account at the gateway must allow. */
export interface OwnAccountCall {
  readonly method: 'POST' | 'PATCH'
  /** Regular expression for the path. */
  readonly path: string
}

/** The calls that the role of the web front's own account at the gateway must allow, and nothing else. */
export function ownAccountCalls({
  checksLogons,
  makesTokens,
  changesAccounts = false,
  rolesFromClaims = [],
  roleOfNewAccounts,
}: OwnAccountWork): readonly OwnAccountCall[] {
  const createsAccounts = makesTokens && (roleOfNewAccounts !== undefined || rolesFromClaims.length > 0)
  return [
    ...(makesTokens ? [{ method: 'POST', path: '/manage/tokens' } as const] : []),
    ...(createsAccounts ? [{ method: 'POST', path: '/manage/accounts' } as const] : []),
    ...(makesTokens && changesAccounts ? [{ method: 'PATCH', path: '/manage/accounts/[^/]+' } as const] : []),
    ...(checksLogons ? [{ method: 'POST', path: '/manage/logon-checks' } as const] : []),
  ]
}

/** The roles of the accounts that it creates or changes. */
export function ownAccountRoles({
  roleOfNewAccounts,
  rolesFromClaims = [],
}: OwnAccountWork): readonly string[] {
  return [...new Set([...(roleOfNewAccounts === undefined ? [] : [roleOfNewAccounts]), ...rolesFromClaims])]
}

/** What claims decide at the gateway. */
export function workOfClaims(
  providers: readonly Pick<ProviderSettings, 'strategy' | 'generator'>[],
): Required<Pick<OwnAccountWork, 'changesAccounts' | 'rolesFromClaims'>> {
  const rules = providers
    .filter(({ generator }) => generator?.kind === 'gateway')
    .flatMap(({ strategy }) => ('rules' in strategy && strategy.rules !== undefined ? [strategy.rules] : []))
  return {
    changesAccounts: rules.some(({ roles, metadata }) => roles !== undefined || metadata !== undefined),
    rolesFromClaims: [...new Set(rules.flatMap(rolesNamedBy))],
  }
}
