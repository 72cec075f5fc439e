import { graphql } from 'relay-runtime'

graphql`
  query tenantQuery($id: ID!, $first: Int) {
    node(GlobalId: $id) {
      ...tenant_ports @arguments(first: $first) @alias(as: "tenant")
    }
  }
`

graphql`
  fragment tenant_ports on Tenant_
  @refetchable(queryName: "tenantPageQuery")
  @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
    id
    portCollection(first: $first, after: $after) @connection(key: "tenant_portCollection") {
      edges {
        node {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
`
