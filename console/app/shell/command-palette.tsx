import '../mantine-styles-more.ts'
import '@mantine/spotlight/styles.layer.css'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Area } from './areas.ts'
import { useVisibleAreas } from './visible-areas.ts'

interface CommandPaletteProps {
  readonly onClose: () => void
}

/** Finds pages by their names, and what areas find by a text. It is open as long as it is rendered. */
export function CommandPalette({ onClose }: CommandPaletteProps) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const areas = useVisibleAreas()
  const found = useFound(areas, text.trim())
  const pages: SpotlightActionData[] = areas.map(({ name, path, icon: AreaIcon }) => ({
    id: name,
    label: t(`areas.${name}`),
    leftSection: <AreaIcon size={20} stroke={1.6} />,
    onClick: () => void navigate(`/${path}`),
  }))
  const groups = found.map(
    ({ area: { name, icon: AreaIcon }, pages: own }): SpotlightActionGroupData => ({
      group: t(`areas.${name}`),
      actions: own.map(({ path, ...shown }) => ({
        id: `${name} ${path}`,
        ...shown,
        // What the server found need not have the text in its label.
        keywords: [text],
        leftSection: <AreaIcon size={20} stroke={1.6} />,
        onClick: () => void navigate(path),
      })),
    }),
  )
  return (
    <Spotlight
      forceOpened
      onSpotlightClose={onClose}
      query={text}
      onQueryChange={setText}
      actions={[...pages, ...groups]}
      scrollable
      maxHeight="70dvh"
      shortcut={null}
      attributes={{ content: { 'aria-label': t('search.button') } }}
      nothingFound={t('search.nothing')}
      searchProps={{
        leftSection: <IconSearch size={20} />,
        placeholder: t('search.placeholder'),
        'aria-label': t('search.placeholder'),
      }}
    />
  )
}

/** What the areas that can search find by a text, once it has not changed for a moment. */
function useFound(areas: readonly Area[], text: string) {
  const [settled] = useDebouncedValue(text, 200)
  const searching = areas.filter(({ find }) => find !== undefined)
  const results = useQueries({
    queries: searching.map(({ name, find }) => ({
      queryKey: ['search', name, settled],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => find?.(settled, signal) ?? [],
      enabled: settled !== '' && text !== '',
      placeholderData: keepPreviousData,
      staleTime: 30_000,
    })),
  })
  if (text === '') return []
  return searching.flatMap((area, index) => {
    const pages = results[index]?.data ?? []
    return pages.length === 0 ? [] : [{ area, pages }]
  })
}
