/** fast-check with the same cases in every run; `TEST_SEED` asks for other ones. */
import fc from 'fast-check'

export const seed = Number(process.env.TEST_SEED ?? 1)

fc.configureGlobal({ seed })

export { fc }
