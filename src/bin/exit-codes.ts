/** How a process ends: https://tldp.org/LDP/abs/html/exitcodes.html for the habit. */
export const exitCodes = {
  fine: 0,
  /** It was asked rightly, and failed. */
  failed: 1,
  /** It was asked wrongly: an unknown command, a bad option. */
  askedWrongly: 2,
} as const
