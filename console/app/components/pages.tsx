import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListPage } from '../api/list-page.ts'

interface PagesOptions<Item> {
  /** The key of the list; when it changes, the list begins anew. */
  readonly queryKey: readonly unknown[]
  readonly read: (after: string | undefined) => Promise<ListPage<Item>>
  readonly isEnabled?: boolean
}

/** The current page of a list, and the way to its neighbours. */
export interface Pages<Item> {
  readonly query: UseQueryResult<ListPage<Item>>
  /** Go to another page; undefined where there is none. */
  readonly goBack: (() => void) | undefined
  readonly goOn: (() => void) | undefined
}

/** Reads a long list page by page: never more than one page is kept on screen. */
export function usePages<Item>({ queryKey, read, isEnabled = true }: PagesOptions<Item>): Pages<Item> {
  const list = JSON.stringify(queryKey)
  const [position, setPosition] = useState<{ readonly list: string; readonly starts: readonly string[] }>()
  const starts = position?.list === list ? position.starts : []
  const after = starts.at(-1)
  const query = useQuery({
    queryKey: [...queryKey, { after }],
    queryFn: () => read(after),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
  const next = query.isPlaceholderData ? undefined : query.data?.next
  return {
    query,
    goBack: starts.length === 0 ? undefined : () => setPosition({ list, starts: starts.slice(0, -1) }),
    goOn: next === undefined ? undefined : () => setPosition({ list, starts: [...starts, next] }),
  }
}

/** The buttons to the page before and the next one; nothing where all fits on one page. */
export function PageButtons<Item>({ pages: { goBack, goOn } }: { readonly pages: Pages<Item> }) {
  const { t } = useTranslation('components')
  if (goBack === undefined && goOn === undefined) return null
  return (
    <Group component="nav" aria-label={t('pages.label')} justify="flex-end" gap="xs" mt="md">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconChevronLeft size={14} />}
        disabled={goBack === undefined}
        onClick={goBack}
      >
        {t('pages.previous')}
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<IconChevronRight size={14} />}
        disabled={goOn === undefined}
        onClick={goOn}
      >
        {t('pages.next')}
      </Button>
    </Group>
  )
}
