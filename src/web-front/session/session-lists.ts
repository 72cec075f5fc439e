/** The groups in which a store lists sessions, and what it can read of each. */
import { hash } from 'node:crypto'
import { hashOf } from './secret.ts'
import type { Login, Session } from './session.ts'
import type { SessionSummary } from './session-store.ts'

/** The group of all sessions of one account at one login provider. */
export function accountGroup({
  provider,
  account,
}: {
  readonly provider: string
  readonly account: Pick<Login['account'], 'account_id'>
}): string {
  return hashOf('account', provider, account.account_id)
}

/** The group of all sessions in which someone is logged in. */
export const everyoneGroup = hashOf('everyone')

/** What a store can read of a session; undefined if no one is logged in. */
export function summaryOf({ login, createdAt, seenAt }: Session): SessionSummary | undefined {
  if (login === undefined) return undefined
  const { provider, account, gateway, credential, earlierTokens = [] } = login
  const tokens = [gateway?.token, credential?.accessToken, ...earlierTokens].filter(
    (token) => token !== undefined,
  )
  return {
    provider,
    account: account.account_id,
    createdAt,
    seenAt,
    ...(gateway === undefined
      ? {}
      : { gateway: { username: gateway.username, tokenHashes: [...new Set(tokens)].map(gatewayHashOf) } }),
  }
}

/** As the gateway stores a token, and takes it at `DELETE /whoami/tokens`. */
function gatewayHashOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
