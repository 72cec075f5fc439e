import type { ProblemPage } from './problem-page.ts'

/** Problems of the service itself. */
export const serverProblems = {
  INTERNAL: {
    why: 'Something happened that should not: a mistake in Gatehouse.',
    fix: 'Report it with the lines of the log that have the same `requestId`.',
    detail: 'Something went wrong on the server.',
  },
  DATABASE_UNAVAILABLE: {
    why: 'The database does not take connections, does not respond, or all connections are in use for too long.',
    fix: 'Try again after `Retry-After`. If it stays so, check the database and [its address](../reference/configuration.md#db_host). Where `detail` says that it is unknown whether a change was kept, read the records before you send it again, or send it again with the same [`Idempotency-Key`](../reference/published-apis.md#safe-retries).',
    detail: 'The database cannot be reached.',
  },
  DATABASE_DENIED: {
    why: 'The user of the database with whom the gateway connects may not do this.',
    fix: 'Grant the privilege, or connect as another user ([databases](../reference/databases.md)).',
    detail: "The gateway's user of the database lacks the privilege for this call.",
  },
  DATABASE_FULL: {
    why: 'The database or its disk has no space left. What is there can still be read.',
    fix: 'Make space.',
    detail:
      'The database or its disk has no space left, so nothing was changed. What is there can be read. Make space, and try again.',
  },
  LOGIN_UNAVAILABLE: {
    why: 'The login provider, or the gateway that checks accounts, does not respond or refuses the web front itself.',
    fix: 'Try again. The log of the web front says what failed.',
    detail: 'The login service cannot be reached.',
  },
  CONTENT_MISSING: {
    why: 'The folder of the application has no `index.html`.',
    fix: 'Build the application, and name its folder with `content.root`.',
    detail:
      'The folder "/srv/app" has no index.html. Name the folder of the built application with --content_root.',
  },
  MODULE_UNUSABLE: {
    why: 'A module that the configuration names cannot be loaded, or lacks a function.',
    fix: 'Correct the path or the module ([serve an application](../web-front.md)).',
    detail: 'A configured module cannot be used.',
  },
  STATEMENT_TIMEOUT: {
    why: 'One statement took longer than `statement_timeout` in the database.',
    fix: 'Filter by fields with an index, or ask for smaller pages.',
    detail:
      'The statement was ended: it took longer than 30000 ms (statement_timeout). Ask for less, or filter by an indexed field; a change may have waited for others of the same rows.',
  },
  FRONT_ACCOUNT_UNUSABLE: {
    why: 'The account of the web front at the gateway is missing, or its role lacks something.',
    fix: 'Correct `gateway.username`, `gateway.password` and `gateway.api_key`, or the role ([tokens for the backend](../web-front.md#tokens-for-the-backend)).',
    detail: 'The web front cannot use its own account at the gateway.',
  },
  FOLDER_IN_USE: {
    why: 'Another process uses the data folder or the database file.',
    fix: 'Stop the other process, or name another folder with `--data_dir`.',
    detail: 'The data folder is in use.',
  },
  SESSIONS_UNAVAILABLE: {
    why: 'The session store (Redis or a file) does not respond.',
    fix: 'Check the store and `session.url`. Sessions continue when it is back.',
    detail: 'The session store cannot be reached.',
  },
  UPLOAD_UNDER_WAY: {
    why: 'Another upload of entity definitions is changing tables.',
    fix: 'Try again when it is done.',
    detail: 'Another upload is running.',
  },
  TABLES_IN_USE: {
    why: 'Other transactions hold the tables that an upload has to change.',
    fix: 'Try again, or end the long transactions.',
    detail: 'The tables are in use.',
  },
  STORE_TOO_NEW: {
    why: 'A newer version of Gatehouse has written the records in this database.',
    fix: 'Start that version, or a newer one.',
    detail: 'The records in the database belong to a newer version.',
  },
  NOT_READY: {
    why: 'The service is starting, is shutting down, or cannot reach its database.',
    fix: 'Try again after `Retry-After`. Load balancers ask `/readyz`.',
    detail: 'The service is not ready.',
  },
  TOO_BUSY: {
    why: 'Too many requests are waiting for the same thing: connections, passwords, files, database.',
    fix: 'Try again after `Retry-After`, and send fewer requests at once.',
    detail: 'There are too many connections (max_connections). Try again in a moment.',
  },
  SHUTTING_DOWN: {
    why: 'The service is ending, and does not begin new work.',
    fix: 'Try again: another node, or the restarted one, responds.',
    detail: 'The server is shutting down.',
  },
} as const satisfies Readonly<Record<string, ProblemPage>>
