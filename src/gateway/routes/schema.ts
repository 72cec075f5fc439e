/** `/manage/schema`: the version of the served schema, and reading the tables again. */
import type { Route } from '../../http/routes.ts'
import type { SchemaDifference } from '../schema-difference.ts'
import type { SchemaVersion } from '../schema-version.ts'

export interface SchemaRouteParts {
  readonly version: () => SchemaVersion
  /** Throws if the tables cannot be read. */
  readonly reload: () => Promise<SchemaDifference>
}

export function schemaRoutes({ version, reload }: SchemaRouteParts): readonly Route[] {
  const shown = () => {
    const { number, hash, text } = version()
    return { version: text, number, hash }
  }
  return [
    { path: '/manage/schema', methods: { GET: async () => shown() } },
    {
      path: '/manage/schema/reload',
      methods: {
        async POST() {
          const difference = await reload()
          return { ...shown(), ...difference }
        },
      },
    },
  ]
}
