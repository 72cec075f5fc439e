/**
 * The closed catalogue of all errors. A code is stable: clients may rely on it. It determines
 * status and title; the `detail`, which explains the case at hand, is given where the error is
 * thrown.
 */
export interface ErrorKind {
  /** HTTP status of the response. */
  readonly status: number
  /** One sentence that is true of every error of this kind. */
  readonly title: string
  /** The `detail` where nothing is known of the case at hand: what to do. Without it the title is repeated. */
  readonly detail?: string
  /** The whole body of the response, if it is not a problem document. */
  readonly body?: object
  /**
   * For a 401, what the header `X-Gatehouse-Refused` of the response says: no session (`login`), no valid token (`token`)
   * or a role that does not allow the call (`role`).
   */
  readonly refused?: 'login' | 'token' | 'role'
}

export const errorKinds = {
  // What cannot be read
  REQUEST_UNREADABLE: { status: 400, title: 'The request is not valid HTTP.' },
  REQUEST_TARGET_REFUSED: { status: 400, title: 'The request target is not acceptable.' },
  BODY_UNREADABLE: { status: 400, title: 'The request body could not be read.' },
  PARAMETER_INVALID: { status: 400, title: 'A request parameter is not valid.' },
  BODY_TOO_LARGE: { status: 413, title: 'The request body is too large.' },
  MEDIA_TYPE_UNSUPPORTED: { status: 415, title: 'The content type of the request is not supported.' },
  NOT_ACCEPTABLE: { status: 406, title: 'None of the accepted media types can be produced.' },
  PERSISTED_QUERY_NOT_SUPPORTED: { status: 400, title: 'PersistedQueryNotSupported' },
  PERSISTED_QUERY_NOT_FOUND: { status: 400, title: 'PersistedQueryNotFound' },
  PERSISTED_QUERY_REQUIRED: {
    status: 403,
    title: 'Only stored documents may be run.',
    detail:
      'This gateway runs only the GraphQL documents that are stored in its configuration (graphql_persisted_only), and this is none of them.',
  },
  WEBSOCKET_NOT_SUPPORTED: { status: 426, title: 'This path does not speak WebSocket.' },
  EXPECTATION_FAILED: { status: 417, title: 'The expectation of the request cannot be met.' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The request headers are too large.' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive.' },

  // Who is calling, and what they may do
  TOKEN_MISSING: {
    status: 401,
    title: 'An authentication token is required.',
    detail:
      'Send a token in the header X-Xaas-Auth-Token. POST /logon gives one for an API key, a username and a password.',
    refused: 'token',
  },
  TOKEN_INVALID: {
    status: 401,
    title: 'The authentication token is unknown or has expired.',
    detail:
      'This token was never given, or has ended. POST /logon gives a new one; an API key is not a token.',
    refused: 'token',
  },
  ROLE_NOT_ALLOWED: {
    status: 401,
    title: 'The role does not allow this method on this path.',
    body: {},
    refused: 'role',
  },
  LOGIN_REQUIRED: { status: 401, title: 'No one is logged in.', refused: 'login' },
  CROSS_SITE_REFUSED: {
    status: 403,
    title: 'The request came from a page of another site.',
    detail:
      'By its headers Sec-Fetch-Site and Origin another site sent it. Call from a page of the web front itself.',
  },
  ROLE_MISSING: { status: 403, title: 'The account does not have the role that this needs.' },
  LOGIN_FAILED: { status: 400, title: 'The login was not completed.' },
  LOGIN_REFUSED: { status: 403, title: 'The login was refused.' },
  LOGOUT_TOKEN_REFUSED: { status: 400, title: 'The logout token is not valid.' },
  TOO_MANY_REQUESTS: { status: 429, title: 'The account has exceeded its rate limit.' },
  LOGON_THROTTLED: { status: 429, title: 'Too many logons failed.' },
  LOGON_REFUSED: { status: 401, title: 'The API key, username or password is wrong.' },
  SECOND_FACTOR_NEEDED: {
    status: 401,
    title: 'The account has a second factor, and its code is needed.',
    detail:
      'Send the code of the authenticator app, or a recovery code, as "code", and "challenge" in place of the password.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 401,
    title: 'The account needs a second factor, and has none.',
    detail:
      'Enter "secret" into an authenticator app, and send its code as "code", with "challenge" in place of the password.',
  },

  PASSKEY_REFUSED: { status: 401, title: 'The passkey was not accepted.' },
  PASSKEY_NEEDED: {
    status: 401,
    title: 'This account logs on with its passkey.',
    detail:
      'This account needs its passkey: the password alone is not enough. If the device is lost, ask an administrator to remove the passkey.',
  },

  ROW_NOT_ALLOWED: { status: 403, title: 'The rights of the caller do not cover this record.' },
  FIELD_NOT_ALLOWED: { status: 403, title: 'The rights of the caller do not cover this field.' },
  EXPLAIN_NOT_ALLOWED: {
    status: 403,
    title: 'The role does not allow explanations.',
    detail:
      'The header X-Gatehouse-Explain asks how the database works for a request, which needs a role with GET on /manage/explain. Leave it out.',
  },
  INTROSPECTION_DISABLED: {
    status: 403,
    title: 'The GraphQL schema is not shown to this caller.',
    detail:
      'This gateway shows its GraphQL schema only to roles with GET on /manage/schema (graphql_introspection). Queries work without it.',
  },
  RIGHTS_NOT_HELD: { status: 403, title: 'An account cannot grant rights that it does not have.' },

  // What is asked for
  NOT_FOUND: { status: 404, title: 'There is nothing at this path.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This path does not support this method.' },
  RECORD_NOT_FOUND: { status: 404, title: 'There is no such record.' },
  TEMPLATE_UNKNOWN: { status: 404, title: 'There is no such template.' },

  PASSKEYS_OFF: {
    status: 404,
    title: 'Passkeys are turned off.',
    detail: 'This gateway has no pages that may use passkeys. An operator names them in passkey_origins.',
  },

  // What can be read but is wrong
  DOCUMENT_INVALID: { status: 422, title: 'The document is not valid.' },
  PASSWORD_WRONG: { status: 422, title: 'The password is wrong.' },
  CODE_WRONG: { status: 422, title: 'The code of the second factor is wrong.' },
  PASSKEY_INVALID: { status: 422, title: 'The passkey cannot be registered.' },
  ENTITY_DEFINITION_INVALID: { status: 422, title: 'The entity definition is not valid.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'The idempotency key was used for another call. Use a new key for every new call.',
  },
  RECORD_INVALID: { status: 422, title: 'The record breaks a rule of its entity definition.' },

  // What conflicts with existing records
  TOO_MANY_API_KEYS: { status: 409, title: 'The account has as many API keys as it may have.' },
  TOO_MANY_PASSKEYS: { status: 409, title: 'The account has as many passkeys as it may have.' },
  SECOND_FACTOR_STATE: { status: 409, title: 'The second factor is not in the state that this call needs.' },
  NAME_TAKEN: { status: 409, title: 'The name is taken.' },
  LAST_ADMINISTRATOR: { status: 409, title: 'The last administrator cannot be removed.' },
  IN_USE: { status: 409, title: 'It is still in use.' },
  VALUE_NOT_UNIQUE: { status: 409, title: 'A unique value is already taken.' },
  TABLE_CHANGE_REFUSED: { status: 409, title: 'The change to the table was refused.' },
  IDEMPOTENCY_KEY_IN_PROGRESS: { status: 409, title: 'A call with this idempotency key is in progress.' },
  ADOPTION_REFUSED: { status: 409, title: 'A table cannot become an entity as it is.' },
  PRECONDITION_FAILED: { status: 412, title: 'The record has changed since it was read.' },

  // Responses that exceed a limit
  ANSWER_TOO_LARGE: { status: 413, title: 'The response would be too large.' },
  ANSWER_TIMEOUT: { status: 504, title: 'The request took too long to process.' },

  // What is wrong with a published upstream API
  UPSTREAM_UNREACHABLE: { status: 502, title: 'The upstream API cannot be reached.' },
  UPSTREAM_BROKEN: { status: 502, title: 'The upstream API sent no valid response.' },
  UPSTREAM_TIMEOUT: { status: 504, title: 'The upstream API took too long to respond.' },
  ROUTE_SECRET_MISSING: {
    status: 503,
    title: 'The route needs a secret that the gateway does not have.',
  },
  UPSTREAM_LOOP: { status: 508, title: 'The target of the route leads back to the same route.' },

  // What is wrong with a file that is made from a template
  FILE_TOO_LARGE: {
    status: 413,
    title: 'The file would be too large.',
    detail: 'Filling the template took more memory than there is for it. Send fewer params.',
  },
  FILE_TIMEOUT: {
    status: 504,
    title: 'Making the file took too long.',
    detail:
      'Making the file took longer than it may (echo.timeout). Send fewer params, or make the template simpler.',
  },
  TEMPLATE_FAILED: { status: 500, title: 'The template could not be filled.' },
  TEMPLATES_UNUSABLE: { status: 503, title: 'The configured templates cannot be used.' },
  RENDERER_MISSING: { status: 501, title: 'Files of this kind need a headless browser, and there is none.' },
  RENDERER_FAILED: { status: 503, title: 'The headless browser that makes the file failed.' },

  // What is wrong on this side
  INTERNAL: { status: 500, title: 'Something went wrong on the server.' },
  DATABASE_UNAVAILABLE: { status: 503, title: 'The database cannot be reached.' },
  DATABASE_DENIED: { status: 403, title: 'The database user of the gateway lacks a privilege.' },
  DATABASE_FULL: { status: 507, title: 'The database is full.' },
  LOGIN_UNAVAILABLE: { status: 503, title: 'The login service cannot be reached.' },
  ISSUER_UNAVAILABLE: { status: 503, title: 'The keys of a token issuer cannot be read.' },
  CONTENT_MISSING: { status: 503, title: 'The application that the web front serves is missing.' },
  MODULE_UNUSABLE: { status: 503, title: 'A configured module cannot be used.' },
  STATEMENT_TIMEOUT: { status: 504, title: 'The database took too long.' },
  FRONT_ACCOUNT_UNUSABLE: { status: 503, title: 'The web front cannot use its own account at the gateway.' },
  FOLDER_IN_USE: { status: 503, title: 'The data folder is in use.' },
  SESSIONS_UNAVAILABLE: { status: 503, title: 'The session store cannot be reached.' },
  UPLOAD_UNDER_WAY: { status: 503, title: 'Another upload is running.' },
  TABLES_IN_USE: { status: 503, title: 'The tables are in use.' },
  STORE_TOO_NEW: { status: 503, title: 'The records in the database belong to a newer version.' },
  NOT_READY: { status: 503, title: 'The service is not ready.' },
  TOO_BUSY: { status: 503, title: 'The server is too busy.' },
  SHUTTING_DOWN: { status: 503, title: 'The server is shutting down.' },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorKinds
