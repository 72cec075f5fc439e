import 'graphiql/style.css'
import './graphiql.css'
import { useComputedColorScheme } from '@mantine/core'
import { GraphiQL } from 'graphiql'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../shell/session-gate.tsx'
import { labelEditors } from './label-editors.ts'
import { runOperation } from './run-operation.ts'

/** GraphiQL as the console shows it. What it keeps in the browser is kept for each account. */
export function Editor({ firstQuery }: { readonly firstQuery: string }) {
  const { t } = useTranslation('graphql')
  const { account } = useSession()
  const place = useRef<HTMLElement>(null)
  const scheme = useComputedColorScheme()
  useEffect(() => {
    if (place.current === null) return undefined
    return labelEditors(place.current, {
      query: t('labels.query'),
      variables: t('labels.variables'),
      headers: t('labels.headers'),
      response: t('labels.response'),
    })
  }, [t])
  return (
    <section ref={place} aria-label={t('title')} className="graphiql-place">
      <h1 className="graphiql-title">{t('title')}</h1>
      <GraphiQL
        key={account.name}
        fetcher={runOperation as GraphiqlFetcher}
        defaultQuery={firstQuery}
        forcedTheme={scheme}
        storage={storageOf(account.name)}
        showPersistHeadersSettings={false}
      >
        <GraphiQL.Logo>{null}</GraphiQL.Logo>
      </GraphiQL>
    </section>
  )
}

type GraphiqlFetcher = Parameters<typeof GraphiQL>[0]['fetcher']

/** The part of the browser's storage that is for one account. */
function storageOf(account: string) {
  const prefix = `gatehouse.console.graphql.${account}.`
  const ownKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  return {
    get length() {
      return ownKeys().length
    },
    getItem: (key: string) => localStorage.getItem(prefix + key),
    setItem: (key: string, value: string) => localStorage.setItem(prefix + key, value),
    removeItem: (key: string) => localStorage.removeItem(prefix + key),
    clear: () => {
      for (const key of ownKeys()) localStorage.removeItem(key)
    },
  }
}
