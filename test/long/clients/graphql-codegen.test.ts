import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CodegenConfig, generate } from '@graphql-codegen/cli'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientProject } from '../../support/client-project.ts'
import { products } from '../../support/products.ts'
import { createTenantsAndPorts } from '../../support/tenants-and-ports.ts'
import { startTestGateway, type TestGateway } from '../../support/test-gateway.ts'
import { typeErrors } from '../../support/type-errors.ts'
import { codegenConfig } from './settings/codegen.ts'

const imports = `import type { Port_, PortsQuery, PortsQueryVariables, RowQuery } from './graphql'\n`

describe.each(products)('GraphQL Code Generator on $name', (product) => {
  let running: TestGateway
  let project: Awaited<ReturnType<typeof clientProject>>
  let generated: string

  beforeAll(async () => {
    running = await startTestGateway(product, createTenantsAndPorts)
    project = await clientProject(new URL('codegen-documents/', import.meta.url))
    generated = await generatedBy(codegenConfig(running.url, running.token))
    await writeFile(join(project.path, 'src/graphql.ts'), generated)
  })
  afterAll(async () => {
    await project.remove()
    await running.close()
  })

  async function generatedBy(config: CodegenConfig): Promise<string> {
    const files: { content: string }[] = await generate({ ...config, cwd: project.path, silent: true }, false)
    return files.map(({ content }) => content).join('\n')
  }

  async function errorsOf(source: string): Promise<readonly string[]> {
    await writeFile(join(project.path, 'src/use.ts'), imports + source)
    return typeErrors(project.path)
  }

  test('makes the same types of the schema as text and of its introspection', async () => {
    const { body } = await running.request('GET', '/graphql')
    const { schema } = body as { schema: string }
    const fromText = await generatedBy({ ...codegenConfig(running.url, running.token), schema })
    const withoutComments = (text: string) => text.replaceAll(/^ *\/\*\*.*\n/gm, '')
    expect(withoutComments(fromText)).toBe(withoutComments(generated))
  })

  test('makes types that compile and that answers have', async () => {
    const document = await readFile(join(project.path, 'src/ports.graphql'), 'utf8')
    const body = { query: document, operationName: 'Ports', variables: { first: 2 } }
    const answer = (await running.request('POST', '/graphql', { body })).body as { data: unknown }
    const source = `
      export const answer: PortsQuery = ${JSON.stringify(answer.data)}
      export const variables: PortsQueryVariables = { filters: [{ key: 'name', op: '==', val: 'uplink-3' }], first: 1 }
      export function read({ Port }: PortsQuery): readonly (string | null | undefined)[] {
        return (Port?.edges ?? []).map((edge) => edge?.node?.tenant?.createdAt)
      }
      export function readRow({ customNode }: RowQuery): string | undefined {
        return customNode && 'name' in customNode ? customNode.name : customNode?.GlobalId
      }
      export const port: Pick<Port_, 'name' | 'isActivated' | 'rate'> = { name: 'uplink-3', isActivated: 1, rate: '0.5' }
    `
    expect(await errorsOf(source)).toEqual([])
  })

  test('makes a wrong field and a wrong variable errors of types', async () => {
    const source = `export const variables: PortsQueryVariables = { first: '1' }
      export const colour = ({ Port }: PortsQuery) => Port?.edges[0]?.node?.colour
      export const active: Port_['isActivated'] = true`
    expect(await errorsOf(source)).toEqual([
      `src/use.ts(2,49): error TS2322: Type 'string' is not assignable to type 'number'.`,
      `src/use.ts(3,77): error TS2339: Property 'colour' does not exist on type '{ name: string; isActivated: number; tenant: { createdAt: string | null; } | null; }'.`,
      `src/use.ts(4,20): error TS2322: Type 'boolean' is not assignable to type 'number'.`,
    ])
  })
})
