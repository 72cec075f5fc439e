import type { EchoSettings } from '../echo/echo-settings.ts'
import type { HttpServerSettings } from '../http/server.ts'
import type { Observer } from '../observe/events.ts'
import type { Clock } from '../util/clock.ts'
import type { BackendSettings } from './backend/backend-settings.ts'
import type { ConsoleSettings } from './console/console-settings.ts'
import type { ContentParts } from './content/routes.ts'
import type { GatewaySettings } from './login/build-providers.ts'
import type { ProviderSettings } from './login/provider-settings.ts'
import type { SessionStoreOptions } from './session/open-session-store.ts'
import type { SessionSettings } from './session/sessions.ts'
import type { SessionSurroundings } from './session/show-session.ts'

/** What a web front is started with. */
export interface WebFrontSettings extends HttpServerSettings {
  readonly host: string
  /** 0 means any free one. */
  readonly port: number
  /** The address that browsers use; without one `http://localhost` and the port. */
  readonly baseUrl?: string
  readonly content: Pick<ContentParts, 'root' | 'patterns' | 'policy'>
  /** Absent if the console is turned off. */
  readonly console?: ConsoleSettings
  /** The version of the program, for the console. */
  readonly version?: string
  readonly session: SessionSettings & {
    readonly store: SessionStoreOptions
    /** Secrets from which keys of this web front are derived, the current one first; absent for one of this process. */
    readonly secrets?: readonly string[]
    /** Where browsers go after logout; by default to the application. */
    readonly afterLogout?: string
    /** Whether a logout revokes the refresh token at the login provider; by default nothing is revoked there. */
    readonly revoke?: boolean
  }
  /** Folder of the built documentation; absent if there is none. */
  readonly guideFolder?: string
  readonly surroundings: SessionSurroundings
  /** The backends of the application; absent without any. */
  readonly backends?: readonly BackendSettings[]
  /** The files that the browser can download; absent without any. */
  readonly echo?: EchoSettings
  readonly providers: readonly ProviderSettings[]
  readonly gateway?: GatewaySettings
  /** The clock, if not that of the machine. */
  readonly now?: Clock
  readonly observe: Observer
}
