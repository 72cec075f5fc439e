import { closeSync, openSync } from 'node:fs'

/**
 * Whether the process belongs to a terminal, whatever its input and output are: SIGHUP then means that the terminal is
 * gone.
 */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
