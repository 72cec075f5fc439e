import { AppError } from '../../errors/app-error.ts'
import type { Page } from './session.ts'
import type { Sessions } from './sessions.ts'

/** More than an address should hold. */
const longestPage = 8000

/**
 * Remembers the page that is being rendered, in the session of its browser. Where there is none, one is begun,
 * but not for a page about which there is nothing to remember. A page is shown though sessions be away.
 */
export async function keepPage(
  page: Page,
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

function textOf({ query, params }: Page): string {
  return JSON.stringify([query, params])
}
