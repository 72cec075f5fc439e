/** API routes: the scope of paths, and upstream APIs. */
import * as v from 'valibot'
import { pageQuery } from '../../access/administration/list-page.ts'
import { apiRouteSchema, apiRouteToPutSchema } from '../../access/authorization/api-route.ts'
import { recordConditionsEntries } from '../../access/authorization/record-conditions-schema.ts'
import {
  createdTagged,
  described,
  done,
  type OperationGroup,
  ok,
  page,
  tagged,
  text,
  time,
} from './operation.ts'

const seconds = (description: string) => v.pipe(v.number(), v.description(description))
const headerValue = v.union([
  v.string(),
  v.object({ secret: text('The name of a secret of the configuration.'), prefix: v.optional(v.string()) }),
])

const route = v.object({
  name: v.string(),
  path: text('A decoded path; `:name` is one segment, a final `/*` any rest below.', '/shop/*'),
  methods: v.array(v.string()),
  scope: v.picklist(['public', 'protected']),
  target: v.optional(described(v.union([v.string(), v.array(v.string())]), 'The upstream API.')),
  prefix: v.optional(v.string()),
  timeout: v.optional(
    v.object({
      connect: seconds('For a connection, in seconds.'),
      response: seconds('Until the head of the response, in seconds.'),
      idle: seconds('Without a byte, in seconds.'),
    }),
  ),
  health: v.optional(
    v.object({
      path: text('The path that is asked.'),
      interval: seconds('Between two checks, in seconds.'),
      timeout: seconds('For a check, in seconds.'),
      threshold: described(v.pipe(v.number(), v.integer()), 'How many checks in a row decide.'),
    }),
  ),
  headers: v.optional(v.object({ set: v.record(v.string(), headerValue) })),
  rewrite: v.optional(v.boolean()),
  ...recordConditionsEntries,
  warnings: v.optional(
    described(v.array(v.string()), 'What is perhaps not intended, after it was written; in sentences.'),
  ),
})

const health = v.object({
  name: v.string(),
  checked: described(v.boolean(), 'Whether the route has a health check.'),
  targets: v.array(
    v.object({
      target: text('Its address.', 'http://127.0.0.1:3000'),
      state: described(
        v.picklist(['unknown', 'healthy', 'unhealthy']),
        '`unknown` as long as nothing was sent to it.',
      ),
      since: time('Since when it is in this state.'),
      failure: described(
        v.nullable(v.object({ reason: text('In a sentence.'), at: time('When it was.') })),
        'The last one; null if there was none.',
      ),
    }),
  ),
})

export const routeOperations: OperationGroup = {
  tag: 'Routes',
  schemas: {
    Route: route,
    RouteToCreate: apiRouteSchema,
    RouteToReplace: apiRouteToPutSchema,
    RouteHealth: health,
  },
  operations: {
    'GET /manage/routes': {
      id: 'listRoutes',
      summary: 'Lists the routes, by name.',
      query: pageQuery,
      responses: page(route, 'A page of routes.'),
    },
    'POST /manage/routes': {
      id: 'createRoute',
      summary: 'Creates a route.',
      body: apiRouteSchema,
      responses: createdTagged(route, 'The new route.'),
    },
    'GET /manage/routes/:name': {
      id: 'getRoute',
      summary: 'Shows a route.',
      conditions: ['If-None-Match'],
      responses: tagged(route, 'The route.'),
    },
    'PUT /manage/routes/:name': {
      id: 'replaceRoute',
      summary: 'Replaces a route, or creates it.',
      conditions: ['If-Match', 'If-None-Match: *'],
      body: apiRouteToPutSchema,
      responses: { ...tagged(route, 'The route, replaced.'), ...createdTagged(route, 'The route, created.') },
    },
    'GET /manage/route-health': {
      id: 'listRouteHealth',
      summary: 'Lists the health of the targets of routes, by the names of the routes.',
      description: 'As the node that responds has found them, by health checks and requests.',
      query: pageQuery,
      responses: page(health, 'Those of a page of routes that have targets.'),
    },
    'GET /manage/routes/:name/health': {
      id: 'getRouteHealth',
      summary: 'Shows the health of the targets of a route, as the node that responds has found them.',
      responses: ok(health, 'Its targets; none for an API of the gateway itself.'),
    },
    'DELETE /manage/routes/:name': {
      id: 'deleteRoute',
      summary: 'Deletes a route.',
      conditions: ['If-Match'],
      responses: done,
    },
  },
}
