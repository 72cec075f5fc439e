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

/** Which tokens end: one, all of an account, or those of everyone. */
export interface EndedTokens {
  readonly account?: string
  /** Of a token of the account. */
  readonly hash?: string
}

/** Ends tokens. Returns how many. */
export async function endTokens(query: EndedTokens): Promise<number> {
  return (await dataOf(gateway.DELETE('/manage/tokens', { params: { query } }))).ended
}
