/** How an uploader shows that it lives, and how long others believe that it does. */
export interface LeaseTimes {
  readonly beatMs: number
  /** An uploader that has not shown for so long that it lives is ended. */
  readonly leaseMs: number
  /** How long another uploader waits for it. */
  readonly waitMs: number
}

export const leaseTimes: LeaseTimes = { beatMs: 1000, leaseMs: 10_000, waitMs: 30_000 }
