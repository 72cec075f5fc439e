import 'graphiql/style.css'
import './graphql-editor.css'
import { GraphiQL } from 'graphiql'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type englishTexts from '../app/graphql/messages.en.json'
import { accountStorage } from './account-storage.ts'
import { ExplainButton } from './explain-button.tsx'
import type { EditorStart } from './first-query.ts'
import { makeAccessible } from './make-accessible.ts'
import { SavedQueriesContext, savedQueriesPlugin } from './saved-queries-plugin.tsx'

export type EditorTexts = typeof englishTexts

interface GraphqlEditorProps {
  /** What it keeps in the browser is kept for this account; '' for those without one. */
  readonly account: string
  readonly texts: EditorTexts
  /** Runs an operation; its headers are those beside the query. Gives the whole result. */
  readonly run: (
    operation: unknown,
    options?: { readonly headers?: Readonly<Record<string, string>> },
  ) => Promise<unknown>
  readonly start: EditorStart
  /** Whether the account may see how the database works for a query. */
  readonly mayExplain: boolean
  /** Otherwise it is that of the browser, unless someone chooses another one. */
  readonly colorScheme?: 'light' | 'dark'
  /** What stands in the corner above the response. */
  readonly corner?: ReactNode
}

/** GraphiQL, with saved queries, and what it lacks for screen readers, keyboards and small screens. */
export function GraphqlEditor({
  account,
  texts,
  run,
  start,
  mayExplain,
  colorScheme,
  corner,
}: GraphqlEditorProps) {
  const place = useRef<HTMLElement>(null)
  const { title, labels, saved, hiddenSchema, explain } = texts
  const [explains, setExplains] = useState(false)
  // GraphiQL reads the schema again for another function.
  const isExplaining = useRef(false)
  isExplaining.current = mayExplain && explains
  const fetcher = useMemo(() => fetcherOf(run, isExplaining), [run])
  useEffect(() => (place.current === null ? undefined : makeAccessible(place.current, labels)), [labels])
  const plugins = useMemo(() => [savedQueriesPlugin(saved.title)], [saved.title])
  const storage = useMemo(() => accountStorage(account), [account])
  const savedOptions = useMemo(() => ({ account, texts: saved }), [account, saved])
  return (
    <section ref={place} aria-label={title} className="graphiql-place">
      <h1 className="graphiql-title">{title}</h1>
      {start.hidesSchema ? <p className="graphiql-notice">{hiddenSchema}</p> : null}
      <SavedQueriesContext value={savedOptions}>
        <GraphiQL
          key={account}
          fetcher={fetcher}
          plugins={plugins}
          storage={storage}
          showPersistHeadersSettings={false}
          defaultQuery={start.query}
          {...(start.hidesSchema ? { schema: null } : {})}
          {...(colorScheme === undefined ? {} : { forcedTheme: colorScheme })}
        >
          <GraphiQL.Logo>{corner ?? null}</GraphiQL.Logo>
          <GraphiQL.Toolbar>
            {({ prettify, merge, copy }) => (
              <>
                {prettify}
                {merge}
                {copy}
                {mayExplain ? (
                  <ExplainButton label={explain} isPressed={explains} onPress={setExplains} />
                ) : null}
              </>
            )}
          </GraphiQL.Toolbar>
        </GraphiQL>
      </SavedQueriesContext>
    </section>
  )
}

type GraphiqlFetcher = Parameters<typeof GraphiQL>[0]['fetcher']

/** Runs operations, and asks for explanations of those that people have written. */
function fetcherOf(
  run: GraphqlEditorProps['run'],
  isExplaining: { readonly current: boolean },
): GraphiqlFetcher {
  const fetcher: GraphqlEditorProps['run'] = (operation, options) => {
    const { operationName } = operation as { readonly operationName?: string | null }
    if (!isExplaining.current || operationName === 'IntrospectionQuery') return run(operation, options)
    return run(operation, { headers: { ...options?.headers, 'X-Gatehouse-Explain': 'true' } })
  }
  return fetcher as GraphiqlFetcher
}
