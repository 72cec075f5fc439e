import { fileURLToPath } from 'node:url'

/** Where `npm test` has built the GraphiQL page to. */
export const graphiqlFolder = fileURLToPath(new URL('../../dist/graphiql', import.meta.url))

/** Where `npm test` has built the page of the published APIs to. */
export const docsFolder = fileURLToPath(new URL('../../dist/docs', import.meta.url))
