/** The authentication tokens of accounts. */
import { dataOf, gateway } from '../api/gateway.ts'
import type { components } from '../api/gateway-api.d.ts'
import { type ListPage, pageOf, pageSize } from '../api/list-page.ts'

export type Token = components['schemas']['Token']

/** The key under which tokens are kept. */
export const tokensKey = ['tokens'] as const

/** A page of the tokens of an account, or of all. */
export function readTokens(account: string | undefined, after: string | undefined): Promise<ListPage<Token>> {
  const query = { limit: pageSize, ...(account && { account }), ...(after && { after }) }
  return pageOf(gateway.GET('/manage/tokens', { params: { query } }))
}

/** Makes a token for an account. */
export async function createToken(account: string): Promise<string> {
  const made = await dataOf(gateway.POST('/manage/tokens', { body: { account } }))
  return made['x-xaas-auth-token']
}

/** Ends all tokens of an account, or of everyone. Returns how many. */
export async function endTokens(account: string | undefined): Promise<number> {
  const query = account === undefined ? {} : { account }
  return (await dataOf(gateway.DELETE('/manage/tokens', { params: { query } }))).ended
}
