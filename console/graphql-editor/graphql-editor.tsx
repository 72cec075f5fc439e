import 'graphiql/style.css'
import './graphql-editor.css'
import { GraphiQL } from 'graphiql'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type englishTexts from '../app/graphql/messages.en.json'
import { accountStorage } from './account-storage.ts'
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
  /** Otherwise it is that of the browser, unless someone chooses another one. */
  readonly colorScheme?: 'light' | 'dark'
  /** What stands in the corner above the response. */
  readonly corner?: ReactNode
}

/** GraphiQL, with saved queries, and what it lacks for screen readers, keyboards and small screens. */
export function GraphqlEditor({ account, texts, run, start, colorScheme, corner }: GraphqlEditorProps) {
  const place = useRef<HTMLElement>(null)
  const { title, labels, saved, hiddenSchema } = texts
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
          fetcher={run as GraphiqlFetcher}
          plugins={plugins}
          storage={storage}
          showPersistHeadersSettings={false}
          defaultQuery={start.query}
          {...(start.hidesSchema ? { schema: null } : {})}
          {...(colorScheme === undefined ? {} : { forcedTheme: colorScheme })}
        >
          <GraphiQL.Logo>{corner ?? null}</GraphiQL.Logo>
        </GraphiQL>
      </SavedQueriesContext>
    </section>
  )
}

type GraphiqlFetcher = Parameters<typeof GraphiQL>[0]['fetcher']
