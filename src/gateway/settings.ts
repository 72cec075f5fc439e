import type { AccessSettings } from '../access/access.ts'
import type { DescribedSetting } from '../config/describe-settings.ts'
import type { DatabaseOptions } from '../database/open-database.ts'
import type { SchemaSettings } from '../graphql/snapshot.ts'
import type { HttpServerSettings } from '../http/server.ts'
import type { Observer } from '../observe/events.ts'
import type { ListLimits } from '../rest/list-limits.ts'
import type { Clock } from '../util/clock.ts'
import type { GraphqlRequestSettings } from './routes/graphql.ts'

/** What a gateway is started with. */
export interface GatewaySettings extends HttpServerSettings, AccessSettings {
  /** The version of the program; absent if it has none. */
  readonly version?: string
  /** Every option as it is in force, for those who may see it. */
  readonly configuration?: readonly DescribedSetting[]
  readonly database: DatabaseOptions
  /** The database of the store; absent for the same one. */
  readonly store?: DatabaseOptions
  /** Whether to wait for a database that cannot be reached at the start; otherwise the start fails. */
  readonly waitsForDatabase: boolean
  readonly host: string
  /** 0 means any free one. */
  readonly port: number
  /** The address that clients use, if it differs. */
  readonly baseUrl?: string
  /** Hosts, addresses and ranges that routes may lead to although they are link-local or have metadata of a cloud. */
  readonly targetAllow?: readonly string[]
  /** Origins whose pages may call the gateway, as browsers write them. */
  readonly corsOrigins?: readonly string[]
  /** The clock that says when tokens, accounts and counts end, if not that of the machine. No option sets it. */
  readonly now?: Clock
  /** The size in bytes from which GraphQL responses are compressed; if absent, only long lists are. */
  readonly compressFromBytes?: number
  /** From which duration on a statement is listed as slow, in milliseconds; 500 if absent. */
  readonly slowStatementMs?: number
  /** How long a reading request may take in all; absent for no limit. */
  readonly requestTimeoutMs?: number
  /** The limits of lists of published APIs; absent for none. */
  readonly listLimits?: Partial<Omit<ListLimits, 'timeMs'>>
  readonly graphql: SchemaSettings
  /** Which GraphQL requests are taken. */
  readonly graphqlRequests?: Partial<GraphqlRequestSettings>
  /** How often the catalogue is polled for changes by other programs; absent or 0 for never. */
  readonly schemaPollMs?: number
  /** Folder of the built GraphiQL page; absent if it is turned off. */
  readonly graphiqlFolder?: string
  /** Folder of the built page of the published APIs; absent if there is none. */
  readonly docsFolder?: string
  /** Whether people log on to the pages by username and password only; absent if the pages ask for the API key, too. */
  readonly pageLogon?: boolean
  /** Folder of the built documentation; absent if there is none. */
  readonly guideFolder?: string
  /** For the account that the first start creates. */
  readonly bootstrap: { readonly password?: string; readonly apiKey?: string }
  /**
   * Called with the address before the first account is created: if it throws, the start fails, and no secret is lost.
   */
  readonly listening?: (address: string) => Promise<void>
  readonly observe: Observer
}
