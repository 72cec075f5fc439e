import { AppError } from '../errors/app-error.ts'
import { inTime } from '../util/in-time.ts'
import type { Route } from './routes.ts'

/** How long finding out may take, in milliseconds: whoever asks does so often. */
const readyMs = 2000

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
          let isYes = false
          const found = isReady().then((is) => {
            isYes = is
          })
          if (!(await inTime(found, readyMs)) || !isYes) {
            throw new AppError('NOT_READY', { headers: { 'retry-after': '1' } })
          }
          return { status: 'ok' }
        },
      },
    },
  ]
}
