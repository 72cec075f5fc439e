/** The served schema: its version, its names, and GraphQL. */
import * as v from 'valibot'
import { nameChoiceSchema, nameListQuery, nameReleaseQuery } from '../choose-names.ts'
import { tableListQuery } from '../list-tables.ts'
import { described, done, type OperationGroup, ok, page, text } from './operation.ts'
import { table } from './table-schema.ts'

const name = v.object({
  kind: v.picklist(['table', 'field', 'reference', 'collection']),
  of: text('What it names, as people write it.', 'orders.customer_id'),
  name: text('The name in GraphQL.'),
  by: v.picklist(['rule', 'command', 'configuration']),
})

const versionEntries = {
  version: text('Number and hash, for comparison.', '12-8f14e45fceea167a'),
  number: v.pipe(v.number(), v.integer(), v.description('How often definitions have changed.')),
  hash: text('Differs whenever the served schema differs.'),
}
const lists = (description: string) => described(v.array(v.string()), description)
const reloaded = v.object({
  ...versionEntries,
  appeared: lists('What is new, in words.'),
  vanished: lists('What is gone.'),
  changed: lists('What is there, but different.'),
})

const graphqlRequest = v.object({
  query: v.optional(text('The GraphQL document.', '{ Port(limit: 10) { edges { node { id } } } }')),
  documentId: v.optional(text('In place of the document: the id or SHA-256 hash of a stored one.')),
  operationName: v.nullish(v.string()),
  variables: v.nullish(v.record(v.string(), v.unknown())),
  extensions: v.nullish(v.record(v.string(), v.unknown())),
})
const graphqlResponse = v.object({
  data: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
  errors: v.optional(
    v.array(
      v.object({
        message: v.string(),
        path: v.optional(v.array(v.union([v.string(), v.number()]))),
        locations: v.optional(v.array(v.object({ line: v.number(), column: v.number() }))),
        extensions: v.optional(v.record(v.string(), v.unknown())),
      }),
    ),
  ),
})

/** The parameters of an operation that is sent in the address. */
const graphqlQuery = {
  onlyEntries: {
    query: v.optional(text('The document of a query; without it the schema is shown.')),
    documentId: v.optional(text('In place of the document: the id or SHA-256 hash of a stored one.')),
    operationName: v.optional(v.string()),
    variables: v.optional(text('JSON.')),
  },
}

export const schemaOperations: OperationGroup = {
  tag: 'Schema',
  schemas: {
    SchemaVersion: v.object(versionEntries),
    SchemaReloaded: reloaded,
    Table: table,
    GraphqlName: name,
    GraphqlNameChoice: nameChoiceSchema,
    GraphqlRequest: graphqlRequest,
    GraphqlResponse: graphqlResponse,
  },
  operations: {
    'GET /manage/schema': {
      id: 'getSchemaVersion',
      summary: 'Shows the version of the served schema.',
      responses: ok(v.object(versionEntries), 'The version.'),
    },
    'POST /manage/schema/reload': {
      id: 'reloadSchema',
      summary: 'Reads the tables again, on all nodes.',
      responses: ok(reloaded, 'What has changed.'),
    },
    'GET /manage/tables': {
      id: 'listTables',
      summary: 'Lists the tables and views of the database, by GraphQL name: entities or not.',
      description:
        'The right to this path decides, whatever the role allows of the tables themselves. No rows are read.',
      query: tableListQuery,
      responses: page(table, 'A page of tables.'),
    },
    'GET /manage/tables/:name': {
      id: 'getTable',
      summary: 'Shows a table by its GraphQL name.',
      responses: ok(table, 'The table.'),
    },
    'GET /manage/names': {
      id: 'listNames',
      summary: 'Lists the GraphQL names of tables and fields.',
      query: nameListQuery,
      responses: page(name, 'A page of names.'),
    },
    'PUT /manage/names': {
      id: 'chooseName',
      summary: 'Chooses a GraphQL name.',
      body: nameChoiceSchema,
      responses: ok(name, 'The name.'),
    },
    'DELETE /manage/names': {
      id: 'releaseName',
      summary: 'Goes back to the default name.',
      query: nameReleaseQuery,
      responses: done,
    },
    'GET /graphql': {
      id: 'getGraphqlSchema',
      summary: 'Shows the GraphQL schema as text, or runs a query.',
      description: 'A browser that opens the address gets GraphiQL.',
      query: graphqlQuery,
      responses: ok(
        v.union([v.object({ schema: text('The schema definition language.') }), graphqlResponse]),
        'The schema; with `query`, the result.',
      ),
    },
    'POST /graphql': {
      id: 'executeGraphql',
      summary: 'Runs a GraphQL operation.',
      body: graphqlRequest,
      responses: ok(graphqlResponse, 'The result, as GraphQL over HTTP says.'),
    },
  },
}
