import { fileURLToPath } from 'node:url'
import type { TokenIssuer } from '../access/authentication/token-issuers/token-issuer.ts'
import type { GatewayConfig } from '../config/gateway-options.ts'
import type { IssuerConfig } from '../config/issuer-options.ts'
import { passkeyDomainOf } from '../config/passkey-domain.ts'
import type { GatewaySettings } from '../gateway/settings.ts'
import { StoredDocuments } from '../graphql/stored-documents.ts'
import type { Observer } from '../observe/events.ts'
import type { Databases } from './database-failure.ts'
import { databaseSettings, isFile, storeSettings } from './database-settings.ts'
import { guideFolder } from './guide-folder.ts'
import { readStoredDocuments } from './stored-documents.ts'

/** The path is the same from `src/bin/` and from `dist/bin/`. */
const docsFolder = fileURLToPath(new URL('../../dist/docs', import.meta.url))
const graphiqlFolder = fileURLToPath(new URL('../../dist/graphiql', import.meta.url))

/** The settings of a gateway, from its configuration. */
export function gatewaySettings(config: GatewayConfig, observe: Observer): GatewaySettings {
  return {
    ...databasesOf(config),
    waitsForDatabase: config.db_retry && !isFile(config),
    host: config.host,
    port: config.port,
    ...(config.base_url === undefined ? {} : { baseUrl: config.base_url }),
    trustedProxies: config.trusted_proxies ?? [],
    targetAllow: config.target_allow ?? [],
    ...(config.cors_origins === undefined ? {} : { corsOrigins: config.cors_origins }),
    ...(config.upstream_secrets === undefined ? {} : { upstreamSecrets: config.upstream_secrets }),
    tokenTtlSeconds: config.token_ttl / 1000,
    ...(config.token_issuers === undefined ? {} : { tokenIssuers: config.token_issuers.map(tokenIssuerOf) }),
    requiresSecondFactor: config.second_factor === 'required',
    ...relyingPartyOf(config),
    bodyLimitBytes: config.body_limit,
    timeouts: { keepAlive: config.keep_alive },
    ...(config.max_connections === undefined ? {} : { maxConnections: config.max_connections }),
    compressFromBytes: config.compress_from,
    requestTimeoutMs: config.request_timeout,
    listLimits: {
      rows: config.list_max_rows,
      bytes: config.list_max_answer,
      heldRows: config.graphql_max_held_rows,
    },
    slowStatementMs: config.slow_statement,
    schemaPollMs: config.schema_poll,
    graphql: {
      naming: config.graphql_naming,
      ...(config.names === undefined ? {} : { names: config.names }),
      sortOrder: config.sort_order,
      profile: config.graphql_profile,
      ...(config.view_keys === undefined ? {} : { viewKeys: config.view_keys }),
      limits: {
        tokens: config.graphql_max_tokens,
        depth: config.graphql_max_depth,
        fields: config.graphql_max_fields,
        aliases: config.graphql_max_aliases,
        directives: config.graphql_max_directives,
        cost: config.graphql_max_cost,
      },
      responseLimits: {
        rows: config.graphql_max_rows,
        bytes: config.graphql_max_answer,
        heldRows: config.graphql_max_held_rows,
      },
    },
    graphqlRequests: graphqlRequestsOf(config),
    docsFolder,
    pageLogon: config.page_logon,
    guideFolder,
    ...(config.graphiql ? { graphiqlFolder } : {}),
    bootstrap: {
      ...(config.admin_password === undefined ? {} : { password: config.admin_password }),
      ...(config.admin_api_key === undefined ? {} : { apiKey: config.admin_api_key }),
    },
    observe,
  }
}

function graphqlRequestsOf(config: GatewayConfig): Required<GatewaySettings>['graphqlRequests'] {
  return {
    maxBatch: config.graphql_max_batch,
    hidesSchema: !config.graphql_introspection,
    onlyStored: config.graphql_persisted_only,
    ...(config.persisted && {
      documents: new StoredDocuments(readStoredDocuments(config.persisted).documents),
    }),
  }
}

function relyingPartyOf(config: GatewayConfig): Pick<GatewaySettings, 'relyingParty'> {
  const id = passkeyDomainOf(config)
  return id === undefined ? {} : { relyingParty: { id, origins: config.passkey_origins ?? [] } }
}

/** A token issuer, from its configuration. */
export function tokenIssuerOf({ jwks_uri: jwksUri, ...config }: IssuerConfig): TokenIssuer {
  return { ...config, jwksUri }
}

/** How long load balancers get to notice that a service stops, if other nodes share its store or sessions. */
export const sharedDrainDelayMs = 5000

/** How long a gateway accepts requests after it was asked to stop, in milliseconds. */
export function drainDelayOf(config: GatewayConfig): number {
  const isShared = (config.store_url?.product ?? config.db_product) !== 'sqlite'
  return config.drain_delay ?? (isShared ? sharedDrainDelayMs : 0)
}

/** How to open the databases of a gateway. The one with its own records carries the notices. */
export function databasesOf(config: GatewayConfig): Databases {
  const notices = config.notices_url === undefined ? {} : { noticesUrl: config.notices_url }
  const database = databaseSettings(config)
  return config.store_url === undefined
    ? { database: { ...database, ...notices } }
    : { database, store: { ...storeSettings(config.store_url, config), ...notices } }
}
