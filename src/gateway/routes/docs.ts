/** `/docs`: a page that shows the published APIs to people. */
import { carriesToken } from '../../access/authentication/authenticate.ts'
import type { Route } from '../../http/routes.ts'
import type { BundledPage } from '../bundled-page.ts'
import { pageFileRoutes, prefersPage, sendPage } from './bundled-pages.ts'

export interface DocsRouteParts {
  readonly page: BundledPage
  /** Whether anyone may open it. */
  readonly isPublic: () => Promise<boolean>
}

export function docsRoutes({ page, isPublic }: DocsRouteParts): readonly Route[] {
  return [
    {
      path: '/docs',
      // A browser that opens the address cannot send a token; the page, which holds no data, asks for it, and then checks
      // whether `/docs` is allowed. A token that is sent is checked.
      access: (request) => (prefersPage(request) && !carriesToken(request.headers) ? 'open' : 'protected'),
      methods: {
        async GET(_request, reply) {
          reply.header('vary', 'accept')
          return sendPage(reply, page, await isPublic())
        },
      },
    },
    ...pageFileRoutes('docs', page),
  ]
}
