import { dataOf, gateway } from '../api/gateway.ts'
import type { FoundPage } from '../shell/areas.ts'
import { accountPath } from './account-path.ts'

/** The first accounts with a text in their usernames. */
export async function findAccounts(text: string, signal: AbortSignal): Promise<readonly FoundPage[]> {
  const params = { query: { q: text, limit: 8 } }
  const accounts = await dataOf(gateway.GET('/manage/accounts', { params, signal }))
  return accounts.map(({ username }) => ({ path: accountPath(username), label: username }))
}
