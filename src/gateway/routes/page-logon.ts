/** `/logon/browser`: where a person logs on by username and password, on a page of the gateway. */
import type { Access } from '../../access/access.ts'
import { AppError } from '../../errors/app-error.ts'
import { clientAddressOf } from '../../http/client-address.ts'
import type { KnownBrowsers } from '../../http/known-browsers.ts'
import type { Route } from '../../http/routes.ts'
import { isFromOwnScript, type OriginReader } from '../../http/same-origin.ts'

/** No page of another origin may call it, whatever `cors_origins` says. */
export const pageLogonPath = '/logon/browser'

export function pageLogonRoutes({
  access,
  originOf,
  knownBrowsers,
}: {
  readonly access: Pick<Access, 'logOnAtPage'>
  readonly originOf: OriginReader
  readonly knownBrowsers: KnownBrowsers
}): readonly Route[] {
  return [
    {
      path: pageLogonPath,
      access: 'open',
      bodySize: 'form',
      methods: {
        async POST(request, reply) {
          const { headers, body: document, id: requestId } = request
          if (!isFromOwnScript(headers, originOf)) throw notFromPage()
          const {
            username: _,
            browser,
            ...answer
          } = await access.logOnAtPage({
            document,
            address: clientAddressOf(request),
            browsers: knownBrowsers.read(headers.cookie),
            requestId,
          })
          return reply.header('set-cookie', knownBrowsers.remember(headers.cookie, browser)).send(answer)
        },
      },
    },
  ]
}

function notFromPage(): AppError {
  return new AppError('CROSS_SITE_REFUSED', {
    detail:
      'Only the pages of this gateway log on here, as browsers say in Sec-Fetch-Site, or in Origin beside X-Requested-With. Programs log on at POST /logon, with an API key. Behind a reverse proxy, set base_url to the address that browsers use.',
  })
}
