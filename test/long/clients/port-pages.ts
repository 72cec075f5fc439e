import type { SamplePort } from '../../support/tenants-and-ports.ts'

/** What variables of a document are. */
export type Variables = Readonly<Record<string, unknown>>

/** A list of ports as the documents below select it. */
export interface PortPage {
  readonly totalCount: number
  readonly edges: readonly { readonly cursor: string; readonly node: SamplePort }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

/** The variables that ask for the page after a list, or undefined at its end. */
export function nextPage({ pageInfo }: PortPage): Variables | undefined {
  return pageInfo.hasNextPage ? { after: pageInfo.endCursor } : undefined
}

/** The variables that ask for the page before a list, or undefined at its beginning. */
export function previousPage({ pageInfo }: PortPage): Variables | undefined {
  return pageInfo.hasPreviousPage ? { before: pageInfo.startCursor } : undefined
}

/** What a list is once all of it is there; only the cursors are taken from it, each from its edge. */
export function wholeList(list: PortPage, expected: readonly SamplePort[]): PortPage {
  const cursors = list.edges.map(({ cursor }) => cursor)
  return {
    totalCount: expected.length,
    edges: expected.map((node, index) => ({ cursor: cursors[index] ?? 'missing', node })),
    pageInfo: {
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: cursors[0] ?? null,
      endCursor: cursors.at(-1) ?? null,
    },
  }
}

const page = `
  fragment Page on Port_Connection {
    totalCount
    edges { cursor node { GlobalId id name } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
`

/** A page of all ports. */
export const allPortsDocument = `
  query Ports($filters: GenericScalar, $first: Int, $after: String, $last: Int, $before: String) {
    Port(filters: $filters, first: $first, after: $after, last: $last, before: $before) { ...Page }
  }
  ${page}
`

/** What the document below answers. */
export interface PortsOfTenant {
  readonly customNode: { readonly portCollection: PortPage }
}

/** A page of the ports of one tenant. */
export const portsOfTenantDocument = `
  query PortsOfTenant($tenant: ID!, $first: Int, $after: String) {
    customNode(GlobalId: $tenant) {
      ... on Tenant_ { GlobalId portCollection(first: $first, after: $after) { ...Page } }
    }
  }
  ${page}
`

/** A row by both of the fields that find any, with fragments on their interfaces. */
export const anyRowDocument = `
  query AnyRow($id: ID!) {
    node(GlobalId: $id) { ...ByNode }
    customNode(GlobalId: $id) { ...ByCustomNode }
  }
  fragment ByNode on Node {
    ... on Port_ { GlobalId name }
  }
  fragment ByCustomNode on CustomNode {
    GlobalId
    ... on Port_ { id tenant { GlobalId id } }
  }
`

/** A list whose filter is wrong. */
export const wrongFilterDocument = `
  query WrongFilter { Port(filters: [{ key: "colour", op: "==", val: 1 }]) { totalCount } }
`
