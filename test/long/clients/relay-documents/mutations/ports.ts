import { graphql } from 'relay-runtime'

graphql`
  query portsQuery {
    Port(first: 100) @connection(key: "ports_Port") {
      __id
      edges {
        node {
          GlobalId
          name
          tenant {
            name
          }
        }
      }
    }
  }
`

graphql`
  mutation portsCreateMutation($input: Port_CreateInput!, $connections: [ID!]!) {
    create_Port(input: $input) @appendNode(connections: $connections, edgeTypeName: "Port_Edge") {
      name
      tenant {
        name
      }
    }
  }
`

graphql`
  mutation portsRenameMutation($id: ID!, $name: String) {
    update_Port(GlobalId: $id, input: { name: $name }) {
      name
    }
  }
`

graphql`
  mutation portsDeleteMutation($id: ID!, $connections: [ID!]!) {
    delete_Port(GlobalId: $id) {
      GlobalId @deleteEdge(connections: $connections)
    }
  }
`

graphql`
  mutation portsDeleteAllMutation($where: Port_Where!, $connections: [ID!]!) {
    deleteAll_Port(where: $where) {
      records {
        GlobalId @deleteEdge(connections: $connections)
      }
    }
  }
`
