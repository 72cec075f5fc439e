import { AppError } from '../errors/app-error.ts'
import type { Route } from './routes.ts'

/** Whether a path is one of those that say how the service is. They are answered when nothing else is. */
export function isHealthPath(path: string): boolean {
  return path === '/healthz' || path === '/readyz'
}

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
          if (!(await isReady().catch(() => false))) {
            throw new AppError('NOT_READY', { headers: { 'retry-after': '1' } })
          }
          return { status: 'ok' }
        },
      },
    },
  ]
}
