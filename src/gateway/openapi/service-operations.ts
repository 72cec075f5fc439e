/** The service itself: whether it runs, and what describes it. */
import * as v from 'valibot'
import { type OperationGroup, ok } from './operation.ts'

const health = v.object({ status: v.literal('ok') })
const openapi = v.record(v.string(), v.unknown())

export const serviceOperations: OperationGroup = {
  tag: 'Service',
  schemas: { Health: health },
  operations: {
    'GET /healthz': {
      id: 'getHealth',
      summary: 'Says whether the process responds.',
      access: 'open',
      responses: ok(health, 'It does.'),
    },
    'GET /readyz': {
      id: 'getReadiness',
      summary: 'Says whether the gateway can do its work.',
      access: 'open',
      responses: ok(health, 'It can.'),
    },
    'GET /metrics': {
      id: 'getMetrics',
      summary: 'Shows counters and durations for Prometheus.',
      responses: {
        200: { description: 'The text format of Prometheus.', schema: v.string(), mediaType: 'text/plain' },
      },
    },
    'GET /openapi.json': {
      id: 'getPublishedApis',
      summary: 'Describes the published APIs that the caller may call.',
      responses: ok(openapi, 'An OpenAPI 3.1 document.'),
    },
    'GET /manage/openapi.json': {
      id: 'getManagementApi',
      summary: "Describes the gateway's own paths: this document.",
      responses: ok(openapi, 'An OpenAPI 3.1 document.'),
    },
  },
}
