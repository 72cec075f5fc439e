/** Clients that write: types made from the schema, and lists that a cache keeps right. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gql, type TypedDocumentNode } from '@apollo/client'
import { generate } from '@graphql-codegen/cli'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange, type Data, type UpdatesConfig } from '@urql/exchange-graphcache'
import { filter, firstValueFrom } from 'rxjs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { clientProject } from '../../support/client-project.ts'
import { products } from '../../support/products.ts'
import { definition, field, reference } from '../../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../../support/test-gateway.ts'
import { typeErrors } from '../../support/type-errors.ts'
import { connectApollo } from './settings/apollo-client.ts'
import { codegenConfig } from './settings/codegen.ts'

const entities = [
  definition('Tenant', { local: [field('name', 'string')] }),
  definition('Port', {
    local: [
      field('name', 'string', { field_nullable: false }),
      field('isActivated', 'boolean', { field_nullable: false, field_default: 'True' }),
      field('vlanRanges', 'array', { field_default: '[]' }),
      field('operationStatus', 'string', { field_enum: ['Processing', 'Completed', 'Cancelled'] }),
    ],
    refs: [reference('tenantId', 'Tenant')],
  }),
]

interface PortNode {
  readonly GlobalId: string
  readonly id: string
  readonly name: string
}

interface PortList {
  readonly Port: { readonly edges: readonly { readonly node: PortNode }[] }
}

const namesIn = (list: PortList | undefined) => (list?.Port.edges ?? []).map(({ node }) => node.name)

describe.each(products)('$name', (product) => {
  let running: TestGateway
  beforeAll(async () => {
    running = await startTestGateway(product)
    expect((await running.request('POST', '/manage/entities', { body: entities })).status).toBe(201)
  })
  afterAll(() => running.close())

  test('GraphQL Code Generator makes types of inputs and results without any', async () => {
    const project = await clientProject(new URL('mutation-documents/', import.meta.url))
    onTestFinished(project.remove)
    const { generates, ...config } = codegenConfig(running.url, running.token)
    // As the guide says: the other plugin would make the types of inputs twice.
    const own = { ...generates['src/graphql.ts'], plugins: ['typescript-operations'] }
    const files: { content: string }[] = await generate(
      { ...config, generates: { 'src/graphql.ts': own }, cwd: project.path, silent: true },
      false,
    )
    const generated = files.map(({ content }) => content).join('\n')
    expect(generated).not.toMatch(/\bany\b(?!.*\*\/)/)
    await writeFile(join(project.path, 'src/graphql.ts'), generated)
    const document = await readFile(join(project.path, 'src/ports.graphql'), 'utf8')
    const variables = {
      input: {
        ...{ name: 'typed', isActivated: false, vlanRanges: ['1-5'], operationStatus: 'Processing' },
        tenant: { create: { name: 'new' } },
      },
    }
    const answer = await running.request('POST', '/graphql', {
      body: { query: document, operationName: 'CreatePort', variables },
    })
    const use = `import type { CreatePortMutation, CreatePortMutationVariables, CancelPortsMutation } from './graphql'
      export const variables: CreatePortMutationVariables = ${JSON.stringify(variables)}
      export const answer: CreatePortMutation = ${JSON.stringify((answer.body as { data: unknown }).data)}
      export const count = ({ updateAll_Port }: CancelPortsMutation): number => updateAll_Port.count
      export const wrong: CreatePortMutationVariables = { input: { name: 'x', operationStatus: 'Gone' } }
      export const number: CreatePortMutationVariables = { input: { name: 'x', isActivated: 1 } }`
    await writeFile(join(project.path, 'src/use.ts'), use)
    expect(await typeErrors(project.path)).toEqual([
      expect.stringMatching(/^src\/use\.ts\(5,\d+\): error TS2322: Type '"Gone"' is not assignable to type/),
      expect.stringMatching(/^src\/use\.ts\(6,\d+\): error TS2322: Type 'number' is not assignable to type/),
    ])
  })

  test('Apollo Client shows what a mutation has changed', async () => {
    await running.request('POST', '/apis/ports', { body: [{ id: 'a1', name: 'before' }] })
    const client = connectApollo(running.url, running.token)
    const list = client.watchQuery({
      query: gql('{ Port(id: "a1") { edges { node { GlobalId name } } } }'),
    })
    const names: string[] = []
    const shown = list.pipe(filter(({ loading }) => !loading))
    // biome-ignore lint/suspicious/noExplicitAny: data is looked into as an application does
    const nameIn = ({ data }: any): string => data.Port.edges[0].node.name
    const subscription = shown.subscribe((result) => names.push(nameIn(result)))
    onTestFinished(() => subscription.unsubscribe())
    const first = await firstValueFrom(shown)
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const id = (first.data as any).Port.edges[0].node.GlobalId
    const rename = gql(
      'mutation ($id: ID!, $input: Port_UpdateInput!) { update_Port(GlobalId: $id, input: $input) { GlobalId name } }',
    )
    await client.mutate({ mutation: rename, variables: { id, input: { name: 'after' } } })
    expect(await firstValueFrom(shown.pipe(filter((result) => nameIn(result) === 'after')))).toBeDefined()
    expect(names).toEqual(['before', 'after'])
    const refused = client.mutate({ mutation: rename, variables: { id, input: { name: null } } })
    await expect(refused).rejects.toThrow('/input/name: This field must not be null.')
  })

  test('Apollo Client adds to a list what a mutation has created, and drops what it has deleted', async () => {
    await running.request('POST', '/apis/tenants', { body: [{ id: 't9' }] })
    await running.request('POST', '/apis/ports', { body: [{ id: 'c1', name: 'first', tenantId: 't9' }] })
    const client = connectApollo(running.url, running.token)
    const query: TypedDocumentNode<PortList> = gql(
      '{ Port(tenantId: "t9") { edges { node { GlobalId id name } } } }',
    )
    const cached = () => namesIn(client.readQuery({ query }) ?? undefined)
    await client.query({ query })
    expect(cached()).toEqual(['first'])
    const create: TypedDocumentNode<{ readonly create_Port: PortNode }> = gql(
      'mutation ($input: Port_CreateInput!) { create_Port(input: $input) { GlobalId id name } }',
    )
    const change = (
      list: PortList | null,
      edges: (all: PortList['Port']['edges']) => PortList['Port']['edges'],
    ) => list && { ...list, Port: { ...list.Port, edges: edges(list.Port.edges) } }
    await client.mutate({
      mutation: create,
      variables: { input: { id: 'c2', name: 'second', tenantId: 't9' } },
      update: (cache, { data }) => {
        const made = data && { __typename: 'Port_Edge', node: data.create_Port }
        cache.updateQuery({ query }, (list) => change(list, (edges) => (made ? [...edges, made] : edges)))
      },
    })
    expect(cached()).toEqual(['first', 'second'])
    const remove: TypedDocumentNode<{ readonly delete_Port: { readonly GlobalId: string } }> = gql(
      'mutation { delete_Port(id: "c1") { GlobalId } }',
    )
    await client.mutate({
      mutation: remove,
      update: (cache, { data }) => {
        const gone = data?.delete_Port.GlobalId
        cache.updateQuery({ query }, (list) =>
          change(list, (edges) => edges.filter(({ node }) => node.GlobalId !== gone)),
        )
      },
    })
    expect(cached()).toEqual(['second'])
    const asked = await client.query({ query, fetchPolicy: 'network-only' })
    expect(namesIn(asked.data)).toEqual(['second'])
  })

  test('urql with graphcache shows what a mutation has changed, and asks again for a list that one has changed', async () => {
    await running.request('POST', '/apis/tenants', { body: [{ id: 't8' }] })
    await running.request('POST', '/apis/ports', { body: [{ id: 'u1', name: 'before', tenantId: 't8' }] })
    const byGlobalId = ({ GlobalId }: Data) => (typeof GlobalId === 'string' ? GlobalId : null)
    const updates: UpdatesConfig = {
      Mutation: {
        create_Port: (_result, _input, cache) => cache.invalidate('Query', 'Port', { tenantId: 't8' }),
        delete_Port: ({ delete_Port }, _input, cache) =>
          cache.invalidate({ __typename: 'Port_', GlobalId: (delete_Port as Data).GlobalId as string }),
      },
    }
    const client = new Client({
      url: `${running.url}/graphql`,
      preferGetMethod: false,
      fetchOptions: { headers: { 'X-Xaas-Auth-Token': running.token } },
      exchanges: [cacheExchange({ keys: { Port_: byGlobalId }, updates }), fetchExchange],
    })
    const query = '{ Port(tenantId: "t8") { edges { node { GlobalId id name } } } }'
    const shown: (readonly string[])[] = []
    const { unsubscribe } = client.query<PortList>(query, {}).subscribe(({ data, stale }) => {
      if (!stale) shown.push(namesIn(data))
    })
    onTestFinished(unsubscribe)
    const latest = (names: readonly string[]) => vi.waitFor(() => expect(shown.at(-1)).toEqual(names), 30_000)
    await latest(['before'])
    const change = async (mutation: string, variables: object) => {
      const { error } = await client.mutation(mutation, { ...variables }).toPromise()
      expect(error).toBeUndefined()
    }
    await change('mutation { update_Port(id: "u1", input: { name: "after" }) { GlobalId name } }', {})
    await latest(['after'])
    await change('mutation ($input: Port_CreateInput!) { create_Port(input: $input) { GlobalId id name } }', {
      input: { id: 'u2', name: 'second', tenantId: 't8' },
    })
    await latest(['after', 'second'])
    await change('mutation { delete_Port(id: "u1") { GlobalId } }', {})
    await latest(['second'])
  })
})
