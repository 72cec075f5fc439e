import * as v from 'valibot'
import { count, described, text } from './operation.ts'

/** An error response: `http/problem.ts`. */
export const problemSchema = v.pipe(
  v.object({
    type: text('The path of the page that explains the code.', '/docs/guide/problems/token-missing'),
    title: text('True of every error with this code.'),
    status: count('The status of the response.'),
    code: text('Stable; for programs.', 'TOKEN_MISSING'),
    detail: text('What is wrong in this case, and what to do; for people.'),
    requestId: text('Names the request in the log of the gateway.'),
    traceId: v.optional(text('The trace id that the request sent.')),
    errors: v.optional(
      described(
        v.array(
          v.object({ pointer: text('A JSON pointer into what was sent.', '/role'), detail: v.string() }),
        ),
        'Every mistake with its place.',
      ),
    ),
  }),
  v.description('An error (RFC 9457).'),
)

/** The response with 401: a problem, or an empty object if the token is valid and the role does not allow the call. */
export const refusalSchema = v.union([problemSchema, v.pipe(v.object({}), v.metadata({ maxProperties: 0 }))])
