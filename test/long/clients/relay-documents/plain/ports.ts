import { graphql } from 'relay-runtime'

graphql`
  query portsQuery($filters: GenericScalar, $first: Int, $last: Int) {
    ...ports_list @arguments(filters: $filters, first: $first, last: $last)
  }
`

graphql`
  fragment ports_list on Query
  @refetchable(queryName: "portsPageQuery")
  @argumentDefinitions(
    filters: { type: "GenericScalar" }
    first: { type: "Int" }
    after: { type: "String" }
    last: { type: "Int" }
    before: { type: "String" }
  ) {
    Port(filters: $filters, first: $first, after: $after, last: $last, before: $before)
      @connection(key: "ports_list_Port") {
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

graphql`
  query portsOfTenantQuery($tenant: ID!, $first: Int) {
    ...ports_ofTenant @arguments(tenant: $tenant, first: $first)
  }
`

graphql`
  fragment ports_ofTenant on Query
  @refetchable(queryName: "portsOfTenantPageQuery")
  @argumentDefinitions(tenant: { type: "ID!" }, first: { type: "Int" }, after: { type: "String" }) {
    customNode(GlobalId: $tenant) {
      ... on Tenant_ {
        portCollection(first: $first, after: $after) @connection(key: "ports_ofTenant_portCollection") {
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
    }
  }
`

graphql`
  query portsRowQuery($id: ID!) {
    customNode(GlobalId: $id) {
      __typename
      ...ports_row
    }
  }
`

graphql`
  fragment ports_row on CustomNode {
    ... on Port_ {
      id
      name
      tenant {
        id
      }
    }
  }
`

graphql`
  query portsWrongFilterQuery {
    Port(filters: [{ key: "colour", op: "==", val: 1 }]) @catch(to: RESULT) {
      totalCount
    }
  }
`
