import type { ProblemPage } from './problem-page.ts'

/** Problems of requests that cannot be read. */
export const requestsProblems = {
  REQUEST_UNREADABLE: {
    why: 'The bytes on the connection are no HTTP/1.1 request: a header without a colon, two `Host` headers, another version of HTTP.',
    fix: 'Look at the client or the proxy that wrote the request. Speak HTTP/1.1, and plain HTTP where the service has no TLS.',
    detail: 'The request is not valid HTTP.',
  },
  REQUEST_TARGET_REFUSED: {
    why: 'The path could be read in two ways: it has `..`, `//`, an encoded slash, a control character or a broken percent-encoding. It is refused so that the check of rights and the route never see two different paths.',
    fix: 'Write the path plainly, and percent-encode each segment once.',
    detail: 'The path holds an empty segment.',
  },
  BODY_UNREADABLE: {
    why: 'The body is no JSON, is empty where JSON is required, is not UTF-8, or was cut off.',
    fix: 'Send one JSON document. `detail` says where reading failed.',
    detail: 'The body is empty; send a JSON document.',
  },
  PARAMETER_INVALID: {
    why: 'A parameter of the query, or a field of a form, is unknown or has a value that it does not take.',
    fix: 'Correct what `detail` or `errors` names. The [published APIs](../reference/published-apis.md) list the parameters of lists.',
    detail: 'The parameter "limit" takes a whole number from 0 on.',
  },
  BODY_TOO_LARGE: {
    why: 'The body has more bytes, values or keys than the path accepts.',
    fix: 'Send less at a time. The operator can raise `body_limit` ([configuration](../reference/configuration.md#body_limit)) for data; forms and documents have fixed limits.',
    detail: 'A body may have at most 1048576 bytes here.',
  },
  MEDIA_TYPE_UNSUPPORTED: {
    why: 'The `Content-Type` is missing, or is one that this path does not take; or the body is compressed.',
    fix: 'Send `Content-Type: application/json`, and the body as it is.',
    detail: 'Send the body as application/json.',
  },
  NOT_ACCEPTABLE: {
    why: 'The `Accept` header excludes every media type that this path can produce.',
    fix: 'Accept `application/json`, or leave out the header.',
    detail: 'Accept application/json.',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    why: 'A GraphQL request names a document (`documentId`, `extensions.persistedQuery`) instead of sending it, and the gateway has no stored documents. The title is what clients of automatic persisted queries look for.',
    fix: 'Send the document as `query`. Such clients do so by themselves after this response.',
    detail: 'PersistedQueryNotSupported',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    why: 'A GraphQL request names a document (`documentId`, `extensions.persistedQuery`) that is not among those of `persisted`. The title is what clients of automatic persisted queries look for.',
    fix: 'Send the document as `query`; such clients do so by themselves. Or store it, and start the gateway again ([stored documents](../reference/graphql.md#stored-documents)).',
    detail: 'PersistedQueryNotFound',
  },
  PERSISTED_QUERY_REQUIRED: {
    why: 'The gateway was started with `graphql_persisted_only`, and the text of `query` is none of the stored documents.',
    fix: 'Store the document, and start the gateway again ([stored documents](../reference/graphql.md#stored-documents)). A role with `GET` on `/manage/schema` may run any.',
    detail:
      'This gateway runs only the GraphQL documents that are stored in its configuration (graphql_persisted_only), and this is none of them.',
  },
  EXPLAIN_NOT_ALLOWED: {
    why: 'A GraphQL request has the header `X-Gatehouse-Explain: true`, and the role does not have `GET` on `/manage/explain`.',
    fix: 'Leave out the header, or ask for a role with `GET` on `/manage/explain` ([explain](../reference/graphql.md#explain)).',
    detail:
      'The header X-Gatehouse-Explain asks how the database works for a request, which needs a role with GET on /manage/explain. Leave it out.',
  },
  INTROSPECTION_DISABLED: {
    why: 'The gateway was started with `graphql_introspection` false, and the role does not have `GET` on `/manage/schema`.',
    fix: 'Queries work without the schema. To read it, ask for a role with `GET` on `/manage/schema` ([who sees the schema](../reference/graphql.md#who-sees-the-schema)).',
    detail:
      'This gateway shows its GraphQL schema only to roles with GET on /manage/schema (graphql_introspection). Queries work without it.',
  },
  WEBSOCKET_NOT_SUPPORTED: {
    why: 'A client has asked for a WebSocket at `/graphql`, as for subscriptions, which there are none of.',
    fix: 'Send queries by `POST`.',
    detail: 'Send GraphQL requests by POST.',
  },
  EXPECTATION_FAILED: {
    why: 'The header `Expect` asks for something other than `100-continue`.',
    fix: 'Leave out the header.',
    detail: 'The only supported expectation is 100-continue.',
  },
  HEADERS_TOO_LARGE: {
    why: 'The request line and headers have more than 16 kB together. Long filters in a query are the usual reason.',
    fix: 'Send long filters in the body: `POST /apis/<resource>/query` takes the parameters of a list as JSON ([published APIs](../reference/published-apis.md)).',
    detail: 'The request headers are too large.',
  },
  REQUEST_TIMEOUT: {
    why: 'The head or the body of the request took too long to arrive.',
    fix: 'Send the request without pauses. Behind a proxy, let it buffer slow clients.',
    detail: 'The request took too long to arrive.',
  },
} as const satisfies Readonly<Record<string, ProblemPage>>
