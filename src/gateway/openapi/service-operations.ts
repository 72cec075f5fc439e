/** The service itself: whether it runs, and what describes it. */
import * as v from 'valibot'
import { openapiQuery } from './openapi-query.ts'
import { type OperationGroup, ok } from './operation.ts'
import { clearedStatements, configuration, slowStatements, status } from './status-schemas.ts'

const health = v.object({ status: v.literal('ok') })
const openapi = v.record(v.string(), v.unknown())

export const serviceOperations: OperationGroup = {
  tag: 'Service',
  schemas: { Health: health, Status: status, Configuration: configuration, SlowStatements: slowStatements },
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
    'GET /manage/status': {
      id: 'getStatus',
      summary: 'Shows what runs, and how it has been doing for 15 minutes.',
      description:
        'It is about the node that responds: nodes do not know each other. `activity.steps` are in order of time, the running one last.',
      responses: ok(status, 'The status.'),
    },
    'GET /manage/configuration': {
      id: 'getConfiguration',
      summary: 'Shows every option as it is in force, and where its value comes from; no secrets.',
      responses: ok(configuration, 'The options of the command that runs, in the order of its help.'),
    },
    'GET /manage/statements': {
      id: 'listSlowStatements',
      summary: 'Lists the statements that took long at the node that responds, without their values.',
      responses: ok(slowStatements, 'At most 200; those that took longest in all come first.'),
    },
    'DELETE /manage/statements': {
      id: 'clearSlowStatements',
      summary: 'Empties the list of slow statements.',
      responses: ok(clearedStatements, 'How many there were.'),
    },
    'GET /openapi.json': {
      id: 'getPublishedApis',
      summary: 'Describes the published APIs, and the routes to upstream APIs, that the caller may call.',
      query: openapiQuery,
      responses: ok(openapi, 'An OpenAPI 3.1 document.'),
    },
    'GET /manage/openapi.json': {
      id: 'getManagementApi',
      summary: "Describes the gateway's own paths: this document.",
      responses: ok(openapi, 'An OpenAPI 3.1 document.'),
    },
  },
}
