import { type ClaimRules, grantsOf, refusedBy } from '../../util/claim-rules.ts'
import type { Claims } from '../../util/claims.ts'
import { accountOf, type ClaimMapping, gatewayUsernameOf } from '../oauth/claims.ts'
import { loginFailure } from './login-failures.ts'
import type { Identity } from './login-strategy.ts'

/** What the claims of a provider are used for. */
export interface ClaimUse {
  /** Name of the way to log in. */
  readonly provider: string
  readonly mapping: ClaimMapping
  readonly rules: ClaimRules
}

/** Who claims are about, if this person may log in. Throws LOGIN_REFUSED. */
export function identify(
  claims: Claims,
  { provider, mapping, rules }: ClaimUse,
): Pick<Identity, 'account' | 'gateway' | 'grants'> {
  const account = accountOf(claims, mapping)
  if (account === undefined) {
    throw loginFailure('noIdentifier', { named: `The claim “${mapping.accountId}” is missing.` })
  }
  const claim = refusedBy(claims, rules)
  if (claim !== undefined) {
    const who = `The account ${JSON.stringify(account.account_id)}`
    throw loginFailure('notAllowed', { found: `${who} is refused by its claim ${claim}.` })
  }
  const username = gatewayUsernameOf(claims, mapping, provider, account.account_id)
  return {
    account,
    grants: grantsOf(claims, rules),
    ...(username === undefined ? {} : { gateway: { username } }),
  }
}
