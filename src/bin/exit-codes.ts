/** Exit codes, following https://tldp.org/LDP/abs/html/exitcodes.html. */
export const exitCodes = {
  fine: 0,
  /** The command was right, but failed. */
  failed: 1,
  /** The command was wrong: an unknown command, a bad option. */
  askedWrongly: 2,
} as const
