import { Code, List, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type Call, useAccess } from '../api/access.ts'
import { Loading } from './loading.tsx'

interface AllowedPageProps {
  /** `:name` in a path stands for what the address of the page has there. */
  readonly calls: readonly Call[]
  readonly children: ReactNode
}

/** A page for those who may make one of some calls. All others are told what their roles lack. */
export function AllowedPage({ calls, children }: AllowedPageProps) {
  const params = useParams()
  const asked = calls.map(({ method, path }) => ({ method, path: filled(path, params) }))
  const { allowed, error } = useAccess(asked)
  // A gateway that cannot be asked is reported by the page.
  if (error !== null || allowed?.includes(true)) return children
  return allowed === undefined ? <Loading /> : <NotAllowed calls={asked} />
}

function filled(path: string, params: Readonly<Record<string, string | undefined>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function NotAllowed({ calls }: { readonly calls: readonly Call[] }) {
  const { t } = useTranslation('components')
  const title = t('notAllowed.title')
  useDocumentTitle(`${title} · Gatehouse`)
  return (
    <Stack>
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text>{t('notAllowed.text', { count: calls.length })}</Text>
      <List>
        {calls.map(({ method, path }) => (
          <List.Item key={method + path}>
            <Code>
              {method} {path}
            </Code>
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
