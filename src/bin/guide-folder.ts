import { fileURLToPath } from 'node:url'

/** The built documentation. The path is the same from `src/bin/` and from `dist/bin/`. */
export const guideFolder = fileURLToPath(new URL('../../dist/guide', import.meta.url))
