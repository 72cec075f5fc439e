/** The groups in which a store lists sessions, and what it can read of each. */
import { hash } from 'node:crypto'
import { AppError } from '../../errors/app-error.ts'
import { hashOf } from './secret.ts'
import type { Login, Session } from './session.ts'
import type { ListedSession, SessionSummary } from './session-store.ts'

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

/** The hashes of a session's tokens of the gateway. */
export function tokenHashesOf({ summary }: ListedSession): readonly string[] {
  return summary?.gateway?.tokenHashes ?? []
}

/** The error for an id that no session of the caller has. */
export function missingSession(): AppError {
  return new AppError('RECORD_NOT_FOUND', {
    detail:
      'There is no session with this id. It may have ended; the list of sessions shows those that are open.',
  })
}
