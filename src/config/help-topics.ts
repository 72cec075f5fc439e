/** Which options of a long list belong together, for `--help`. */

/** Options that belong together, and the keys that they have. */
interface Topic {
  readonly heading: string
  readonly keys: RegExp
}

/** In the order of `--help`. An option belongs to the first topic that knows its key. */
const topics: readonly Topic[] = [
  {
    heading: 'database',
    keys: /^(db_|store_|notices_|schema_poll|read_connections|view_|names|graphql_naming)/,
  },
  { heading: 'addresses and connections', keys: /^(host|port|base_url|trusted_|cors_|keep_alive|max_conn)/ },
  { heading: 'first account and tokens', keys: /^(admin_|token_)/ },
  { heading: 'application', keys: /^(content|console)_/ },
  { heading: 'backend', keys: /^backend_/ },
  { heading: 'login and sessions', keys: /^(authentication|session_|gateway_|log_?in)/ },
  { heading: 'GraphQL', keys: /^graph/ },
  { heading: 'published APIs and routes', keys: /^(list_|target_|body_|request_|compress_)/ },
  { heading: 'files from templates', keys: /^echo_/ },
]

/** What the options have that no topic knows. */
const remainder = 'running'

/** The options that most people need, of the commands that have many. */
const usual =
  /^(data_dir|gateway_port|front_port|config|db_(product|name|host|port|user|pass)|store_url|host|port|base_url|content_root|backend_(target|proxypath)|authentication|session_store|admin_password|log_level|json|yes|role)$/

/** Whether an option is in the short list of a command that has many. */
export function isUsual(key: string): boolean {
  return usual.test(key)
}

/** The entries of a table of options by topic, each topic with its heading. */
export function byTopic<Value>(
  options: Readonly<Record<string, Value>>,
): readonly { readonly heading: string; readonly options: Readonly<Record<string, Value>> }[] {
  const topicOf = (key: string) => topics.find(({ keys }) => keys.test(key))?.heading ?? remainder
  return [...topics.map(({ heading }) => heading), remainder]
    .map((heading) => ({
      heading,
      options: Object.fromEntries(Object.entries(options).filter(([key]) => topicOf(key) === heading)),
    }))
    .filter((topic) => Object.keys(topic.options).length > 0)
}
