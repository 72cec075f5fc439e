import type { Observer } from '../observe/events.ts'
import type { TargetGuard } from '../proxy/target-guard.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'
import type { RandomSource } from '../util/random-source.ts'
import type { AccessDirectory } from './access-directory.ts'
import type { Tidying } from './administration/tidy-store.ts'
import type { LogonLimits } from './authentication/limit-logons.ts'
import type { Passwords } from './authentication/password.ts'
import type { PartRights } from './authorization/part-rights.ts'
import type { Patterns } from './authorization/patterns.ts'

/** What the functions of this folder work with. */
export interface AccessParts {
  readonly store: Store
  readonly directory: AccessDirectory
  readonly partRights: PartRights
  readonly passwords: Passwords
  readonly patterns: Patterns
  readonly logonLimits: LogonLimits
  readonly tidying: Tidying
  readonly tokenTtlSeconds: number
  /** Says where no route leads. */
  readonly targetGuard: Pick<TargetGuard, 'refuses'>
  readonly now: Clock
  readonly randomBytes: RandomSource
  /** Gives ids that sort by time. */
  readonly nextId: () => string
  readonly observe: Observer
}
