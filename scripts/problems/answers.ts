import type { ProblemPage } from './problem-page.ts'

/** Problems of responses, of upstream APIs and of files. */
export const answersProblems = {
  ANSWER_TOO_LARGE: {
    why: 'The response would have more rows or bytes than the limit that `detail` names.',
    fix: 'Ask for pages, or for fewer fields. The operator can raise the limit ([configuration](../reference/configuration.md)).',
    detail:
      'The list has more than 10,000 records, which is the limit (list_max_rows). Page through it with "limit".',
  },
  ANSWER_TIMEOUT: {
    why: 'The request took longer than `request_timeout`.',
    fix: 'Ask for less, or filter by fields with an index.',
    detail:
      'The request was ended: all of it together took longer than it may (request_timeout). Ask for less.',
  },
  UPSTREAM_UNREACHABLE: {
    why: 'No target of the route, or the backend of the web front, takes a connection.',
    fix: 'Check that the server behind it runs, and its address: `gatehouse route show NAME`, or `backend.target`.',
    detail: 'The upstream API cannot be reached.',
  },
  UPSTREAM_BROKEN: {
    why: 'The server behind closed the connection, or sent something that is no HTTP response.',
    fix: 'Look at its log, with the `X-Request-Id` of this response.',
    detail: 'The upstream API sent no valid response.',
  },
  UPSTREAM_TIMEOUT: {
    why: 'The server behind took longer to begin its response than the route, or `backend.timeout`, allows.',
    fix: 'Make it faster, or allow more time.',
    detail: 'The upstream API took too long to respond.',
  },
  ROUTE_SECRET_MISSING: {
    why: 'The route sets a header from a secret, and the gateway no longer has the secret, or must not send it to this target.',
    fix: 'Give the gateway the secret again, or change the headers of the route ([routes](../reference/access.md#routes)). The log names the secret.',
    detail: 'The route needs a secret that the gateway does not have.',
  },
  UPSTREAM_LOOP: {
    why: 'The target of a route is the gateway itself.',
    fix: 'Change `target` of the route to the server that is meant.',
    detail: 'The target of the route leads back to the same route.',
  },
  FILE_TOO_LARGE: {
    why: 'The file has more pages, pixels or bytes than `echo.maxPages`, `echo.maxPixels` or the memory allow.',
    fix: 'Send fewer params, or raise the limit that `detail` names.',
    detail: 'The file would have more than 200 pages, which is the limit (echo.maxPages).',
  },
  FILE_TIMEOUT: {
    why: 'Making the file took longer than `echo.timeout`.',
    fix: 'Send fewer params, make the template simpler, or raise the limit.',
    detail:
      'Making the file took longer than it may (echo.timeout). Send fewer params, or make the template simpler.',
  },
  TEMPLATE_FAILED: {
    why: 'A template could not be filled: a helper got a value that it does not take, or a changed file has a mistake.',
    fix: 'Correct the template or the params ([write a template](../echo.md#write-a-template)). The log has the reason.',
    detail: 'The template could not be filled.',
  },
  TEMPLATES_UNUSABLE: {
    why: 'A file of a template is missing or has a mistake.',
    fix: 'Correct what `detail` names. Paths in the configuration are relative to the folder in which the program was started.',
    detail:
      'template ports: the file "templates/ports.csv" does not exist in the folder "/srv", where the program was started',
  },
  RENDERER_MISSING: {
    why: 'PDF, PNG and JPEG files need a package and a browser that are not installed.',
    fix: 'Install both ([make PDF, PNG and JPEG files](../echo.md#make-pdf-png-and-jpeg-files)).',
    detail: 'Files of this kind need a headless browser, and there is none.',
  },
  RENDERER_FAILED: {
    why: 'The headless browser ended, or could not show the page.',
    fix: 'Try again. If it stays so, the detail or the log says why; containers often need `echo.sandbox: false`.',
    detail: 'The headless browser that makes the file failed.',
  },
} as const satisfies Readonly<Record<string, ProblemPage>>
