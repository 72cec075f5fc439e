/** Which version of the schema a node serves: `/manage/schema`. */
import type { Route } from '../../http/routes.ts'
import type { SchemaVersion } from '../schema-version.ts'

export function schemaRoutes({ version }: { readonly version: () => SchemaVersion }): readonly Route[] {
  return [
    {
      path: '/manage/schema',
      methods: {
        async GET() {
          const { number, hash, text } = version()
          return { version: text, number, hash }
        },
      },
    },
  ]
}
