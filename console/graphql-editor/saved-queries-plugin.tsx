import { useEditorContext, usePluginStore } from '@graphiql/react'
import { createContext, type FormEvent, useContext, useState } from 'react'
import type texts from '../app/graphql/messages.en.json'
import { readSaved, type SavedQuery, withQuery, writeSaved } from './saved-queries.ts'

interface SavedQueriesOptions {
  readonly account: string
  readonly texts: (typeof texts)['saved']
}

/** Whose queries are shown, and in which words. */
export const SavedQueriesContext = createContext<SavedQueriesOptions | undefined>(undefined)

/** The plugin of GraphiQL with the queries that someone has saved. */
export function savedQueriesPlugin(title: string) {
  return { title, icon: SaveIcon, content: SavedQueries }
}

function SavedQueries() {
  const options = useContext(SavedQueriesContext)
  if (options === undefined) throw new Error('No account is provided here.')
  const { account, texts: t } = options
  const { queryEditor, variableEditor } = useEditorContext({ nonNull: true })
  const { setVisiblePlugin } = usePluginStore()
  const [saved, setSaved] = useState(() => readSaved(account))
  const [name, setName] = useState(queryEditor?.operationName ?? '')

  function keep(queries: readonly SavedQuery[]): void {
    writeSaved(account, queries)
    setSaved(queries)
  }

  function save(event: FormEvent): void {
    event.preventDefault()
    const query = queryEditor?.getValue() ?? ''
    const variables = variableEditor?.getValue() ?? ''
    // Another tab of the browser may have saved one meanwhile.
    keep(withQuery(readSaved(account), { name: name.trim(), query, variables }))
  }

  function open({ query, variables }: SavedQuery): void {
    queryEditor?.setValue(query)
    variableEditor?.setValue(variables)
    // There it covers the editor.
    if (matchMedia('(max-width: 48rem)').matches) setVisiblePlugin(null)
  }

  const isThere = saved.some((one) => one.name === name.trim())
  return (
    <section className="saved-queries" aria-label={t.title}>
      <div className="graphiql-history-header">{t.title}</div>
      <p>{t.hint}</p>
      <form onSubmit={save}>
        <label>
          {t.name}
          <input
            value={name}
            maxLength={100}
            required
            pattern=".*\S.*"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <button type="submit">{isThere ? t.replace : t.save}</button>
      </form>
      {saved.length === 0 ? <p>{t.none}</p> : null}
      <ul>
        {saved.map((one) => (
          <li key={one.name}>
            <button
              type="button"
              aria-label={t.open.replace('{{name}}', () => one.name)}
              onClick={() => open(one)}
            >
              {one.name}
            </button>
            <button
              type="button"
              aria-label={t.delete.replace('{{name}}', () => one.name)}
              onClick={() => keep(readSaved(account).filter((other) => other.name !== one.name))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function SaveIcon() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M6 3h12v18l-6-4.5L6 21z" />
    </svg>
  )
}
