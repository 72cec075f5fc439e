import { AppError } from '../errors/app-error.ts'
import { inTime } from '../util/in-time.ts'
import type { Route } from './routes.ts'

/** How long the readiness check may take, in milliseconds: load balancers check often. */
const readyMs = 2000

/** `/healthz`: the process responds. `/readyz`: it can do its work. Both say only yes or no, to anyone. */
export function healthRoutes({ isReady }: { readonly isReady: () => Promise<boolean> }): readonly Route[] {
  return [
    { path: '/healthz', access: 'open', methods: { GET: async () => ({ status: 'ok' }) } },
    {
      path: '/readyz',
      access: 'open',
      methods: {
        async GET() {
          // Any failure of the check is a no.
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
