import { fileURLToPath } from 'node:url'

/** The built console that comes with the program; the path is the same from `src/bin/` and from `dist/bin/`. */
export const consoleFolder = fileURLToPath(new URL('../../dist/console', import.meta.url))
