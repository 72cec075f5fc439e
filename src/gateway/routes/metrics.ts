import type { Route } from '../../http/routes.ts'
import type { Metrics } from '../../observe/metrics.ts'

/** `/metrics`, for Prometheus; for callers whose role allows it, as everywhere. */
export function metricsRoutes({ metrics }: { readonly metrics: Metrics }): readonly Route[] {
  return [
    {
      path: '/metrics',
      methods: {
        GET: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
      },
    },
  ]
}
