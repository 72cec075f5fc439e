import { AppError } from '../errors/app-error.ts'
import type { Route } from './routes.ts'

/** `/healthz`: the process answers. `/readyz`: it can do its work. Both say only yes or no, to anybody. */
export function healthRoutes({ isReady }: { readonly isReady: () => Promise<boolean> }): readonly Route[] {
  return [
    { path: '/healthz', access: 'open', methods: { GET: async () => ({ status: 'ok' }) } },
    {
      path: '/readyz',
      access: 'open',
      methods: {
        async GET() {
          // Whatever keeps it from finding out is a no.
          if (!(await isReady().catch(() => false))) throw new AppError('NOT_READY')
          return { status: 'ok' }
        },
      },
    },
  ]
}
