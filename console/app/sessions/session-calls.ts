/** The sessions of browsers, which the web front has. */
import { type ListPage, nextIn, pageSize } from '../api/list-page.ts'
import { send } from '../api/send.ts'

/** A browser in which someone is logged in. */
export interface Session {
  readonly id: string
  /** Who it is at the login provider. */
  readonly account: string | null
  readonly provider: string | null
  /** The account at the gateway; null without one. */
  readonly username: string | null
  readonly created: string | null
  readonly last_used: string | null
  readonly expires: string
}

/** The path of the calls. */
export const sessionsPath = '/manage/sessions'

/** The key under which sessions are kept. */
export const sessionsKey = ['sessions'] as const

/** A page of the sessions of an account, or of all. */
export async function readSessions(
  account: string | undefined,
  after: string | undefined,
): Promise<ListPage<Session>> {
  const query = new URLSearchParams({
    limit: `${pageSize}`,
    ...(account && { account }),
    ...(after && { after }),
  })
  const response = await send(`${sessionsPath}?${query}`)
  return { items: (await response.json()) as readonly Session[], next: nextIn(response.headers.get('link')) }
}

/** Ends one session, or all of an account. Returns how many. */
export async function endSessions(
  ended: { readonly id: string } | { readonly account: string },
): Promise<number> {
  const response = await send(`${sessionsPath}?${new URLSearchParams({ ...ended })}`, { method: 'DELETE' })
  return ((await response.json()) as { readonly ended: number }).ended
}
