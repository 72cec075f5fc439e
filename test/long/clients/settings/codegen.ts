import type { CodegenConfig } from '@graphql-codegen/cli'

export function codegenConfig(url: string, token: string): CodegenConfig {
  return {
    schema: { [`${url}/graphql`]: { headers: { 'X-Xaas-Auth-Token': token } } },
    documents: 'src/**/*.graphql',
    generates: {
      'src/graphql.ts': {
        plugins: ['typescript', 'typescript-operations'],
        config: {
          scalars: {
            DateTime: 'string',
            Date: 'string',
            BigInt: 'number | string',
            GenericScalar: 'unknown',
          },
        },
      },
    },
  }
}
