import { AppError } from '../../errors/app-error.ts'
import type { PageAddress } from './session.ts'
import type { Sessions } from './sessions.ts'

/** More than an address should hold. */
const longestPage = 8000

/**
 * Remembers the served page in the session of its browser. Starts a session if there is none, unless the page has nothing
 * to remember. The page is shown even if the session store is unavailable.
 */
export async function keepPage(
  page: PageAddress,
  cookieHeader: string | undefined,
  reply: { header(name: string, value: string): unknown },
  sessions: Sessions,
): Promise<void> {
  const text = textOf(page)
  if (text.length > longestPage) return
  try {
    const session = await sessions.open(cookieHeader)
    if (session === undefined) {
      if (text === textOf({ query: {}, params: {} })) return
      const { setCookie } = await sessions.start({ page }, [])
      reply.header('set-cookie', setCookie)
    } else if (textOf(session.content.page) !== text) {
      await sessions.update(session, (content) => ({ ...content, page }))
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SESSIONS_UNAVAILABLE') throw error
  }
}

function textOf({ query, params }: PageAddress): string {
  return JSON.stringify([query, params])
}
