import type { TargetGuard } from '../http/proxy/target-guard.ts'
import type { Observer } from '../observe/events.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'
import type { RandomSource } from '../util/random-source.ts'
import type { AccessDirectory } from './access-directory.ts'
import type { LogonLimits } from './limit-logons.ts'
import type { PartRights } from './part-rights.ts'
import type { Passwords } from './password.ts'
import type { Patterns } from './patterns.ts'
import type { Tidying } from './tidy-store.ts'

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
