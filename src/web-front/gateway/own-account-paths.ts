import type { GatewayServiceSettings } from './gateway-service.ts'

/** Where the role of the web front's own account at the gateway has to allow `POST`, and nothing else. */
export function ownAccountPaths({
  checksLogons,
  makesTokens,
  roleOfNewAccounts,
}: Pick<GatewayServiceSettings, 'checksLogons' | 'makesTokens' | 'roleOfNewAccounts'>): readonly string[] {
  return [
    ...(makesTokens ? ['/manage/tokens'] : []),
    ...(makesTokens && roleOfNewAccounts !== undefined ? ['/manage/accounts'] : []),
    ...(checksLogons ? ['/manage/logon-checks'] : []),
  ]
}
