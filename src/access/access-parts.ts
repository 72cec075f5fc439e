import type { Observer } from '../observe/events.ts'
import type { TargetGuard } from '../proxy/target-guard.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'
import type { GenerationalCache } from '../util/generational-cache.ts'
import type { RandomSource } from '../util/random-source.ts'
import type { AccessDirectory } from './access-directory.ts'
import type { LogonLimits } from './authentication/limit-logons.ts'
import type { RelyingParty } from './authentication/passkeys/relying-party.ts'
import type { Passwords } from './authentication/password.ts'
import type { IssuedTokens } from './authentication/token-issuers/issued-tokens.ts'
import type { ConditionsCheck } from './authorization/conditions-report.ts'
import type { PartRights } from './authorization/part-rights.ts'
import type { Patterns } from './authorization/patterns.ts'
import type { UpstreamSecrets } from './authorization/route-headers.ts'

/** The parts that the functions of this folder need. */
export interface AccessParts {
  readonly store: Store
  readonly directory: AccessDirectory
  readonly partRights: PartRights
  readonly passwords: Passwords
  readonly patterns: Patterns
  readonly logonLimits: LogonLimits
  readonly issuedTokens: IssuedTokens
  /** The last time steps of one-time passwords that were used while the store was full, by their secrets. */
  readonly usedSteps: GenerationalCache<string, number>
  readonly tidying: Tidying
  readonly tokenTtlSeconds: number
  /** Whether every account needs a second factor where no API key is asked for. */
  readonly requiresSecondFactor: boolean
  /** The pages that may use passkeys; undefined for none. */
  readonly relyingParty: RelyingParty | undefined
  readonly signingKey: SigningKey
  /** Decides where routes must not lead. */
  readonly targetGuard: Pick<TargetGuard, 'refuses'>
  /** The secrets that routes may send. */
  readonly upstreamSecrets: UpstreamSecrets
  readonly checkConditions: ConditionsCheck
  readonly now: Clock
  readonly randomBytes: RandomSource
  /** Makes ids that sort by time. */
  readonly nextId: () => string
  readonly observe: Observer
}

/** The key that signs the challenges of passkeys, as this node knows it; all nodes share the stored one. */
interface SigningKey {
  known: string | undefined
}

/** When this node removes again what has ended. */
interface Tidying {
  /** Milliseconds since 1970. */
  dueAt: number
}
