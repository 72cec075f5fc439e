/** The reference page of the gateway's own paths, from the document that `/manage/openapi.json` serves. */

// biome-ignore lint/suspicious/noExplicitAny: JSON, of which each kind of part has its own members
type Part = any

/** The text of the page. */
export function managementPage(document: Part): string {
  const sections = document.tags.map(({ name }: Part) => `## ${name}\n\n${tableOf(name, document)}`)
  return `# Management API

The gateway's own paths. \`GET /manage/openapi.json\` describes them as OpenAPI 3.1: parameters, bodies and responses with
their schemas. Like every path it needs a role that allows it. \`GET /openapi.json\` describes the
[published APIs](published-apis.md). [Administration](../administration.md) has examples, and [Errors](errors.md) the codes.

A list takes \`limit\` and \`after\`, and links to its next page in the header \`Link\`. Rights are as everywhere: a role must
allow the method on the path. \`/logon\`, \`/healthz\` and \`/readyz\` need no token; \`/logoff\` and what is below \`/whoami\`
need any valid one.

${sections.join('\n\n')}
`
}

function tableOf(tag: string, { paths }: Part): string {
  const rows = Object.entries<Part>(paths).flatMap(([path, item]) =>
    Object.entries<Part>(item)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(
        ([method, { operationId, summary, parameters = [] }]) =>
          `| \`${method.toUpperCase()} ${path}\` | ${summary.replaceAll('|', '\\|')} | ${queryOf(parameters)} | \`${operationId}\` |`,
      ),
  )
  return ['| Request | | Query | Operation |', '|---|---|---|---|', ...rows].join('\n')
}

function queryOf(parameters: readonly Part[]): string {
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => `\`${name}\``)
    .join(', ')
}
