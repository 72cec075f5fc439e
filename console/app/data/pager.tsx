import { ActionIcon, Group, Select, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CountButton } from './collection-cell.tsx'
import { pageSizes } from './columns.ts'
import type { RowPage } from './rows.ts'
import type { Place } from './table-view.ts'

interface PagerProps {
  /** The name of the table. */
  readonly table: string
  /** Whether its rows can be counted. */
  readonly isCountable: boolean
  readonly filters: unknown
  readonly page: RowPage
  readonly place: Place
  readonly size: number
  /** Whether another page is being read: where that one leads is not known yet. */
  readonly isBusy: boolean
  readonly onPlace: (place: Place) => void
  /** Absent if it cannot be changed. */
  readonly onSize?: (size: number) => void
}

/** Goes through the pages of a list. How long the whole list is, is counted on demand only. */
export function Pager(props: PagerProps) {
  const { table, isCountable, filters, page, place, size, isBusy, onPlace, onSize } = props
  const { t } = useTranslation('data')
  const { rows, hasNext, hasPrevious, cursors } = page
  const places = placesBeside(page, place, size)
  const isWhole = !hasNext && !hasPrevious
  const icon = { size: 18 } as const
  const go = (to: Place) => ({ isBusy, onClick: () => onPlace(to) })
  return (
    <Group gap="xs" justify="space-between" mt="xs">
      <Group gap={4}>
        {isWhole ? null : (
          <>
            <Step label={t('pager.first')} isOff={!hasPrevious} {...go({ kind: 'start' })}>
              <IconChevronsLeft {...icon} />
            </Step>
            <Step label={t('pager.previous')} isOff={!hasPrevious} {...go(places.previous)}>
              <IconChevronLeft {...icon} />
            </Step>
            <Step label={t('pager.next')} isOff={!hasNext} {...go(places.next)}>
              <IconChevronRight {...icon} />
            </Step>
            {cursors === undefined ? null : (
              <Step label={t('pager.last')} isOff={!hasNext} {...go({ kind: 'end' })}>
                <IconChevronsRight {...icon} />
              </Step>
            )}
          </>
        )}
        <Text size="sm" component="span" role="status">
          {rangeOf(page, place) ?? t('pager.rows', { count: rows.length })}
        </Text>
        {isWhole || !isCountable ? null : (
          // Another list has another count.
          <CountButton key={JSON.stringify(filters)} table={table} filters={filters} isReachable />
        )}
      </Group>
      {onSize === undefined ? null : (
        <Select
          size="xs"
          w={130}
          aria-label={t('pager.size')}
          allowDeselect={false}
          data={pageSizes.map((one) => ({ value: String(one), label: t('pager.perPage', { count: one }) }))}
          value={String(size)}
          onChange={(value) => onSize(Number(value))}
        />
      )}
    </Group>
  )
}

interface StepProps {
  readonly label: string
  readonly isOff: boolean
  /** Whether it does nothing for the moment; it keeps the focus. */
  readonly isBusy: boolean
  readonly onClick: () => void
  readonly children: React.ReactNode
}

function Step({ label, isOff, isBusy, onClick, children }: StepProps) {
  return (
    <ActionIcon
      variant="default"
      aria-label={label}
      aria-disabled={isBusy || isOff}
      disabled={isOff}
      onClick={isBusy ? undefined : onClick}
    >
      {children}
    </ActionIcon>
  )
}

function placesBeside(
  { cursors }: RowPage,
  place: Place,
  size: number,
): { readonly previous: Place; readonly next: Place } {
  if (cursors !== undefined) {
    return {
      previous: { kind: 'before', cursor: cursors.first },
      next: { kind: 'after', cursor: cursors.last },
    }
  }
  const offset = place.kind === 'offset' ? place.offset : 0
  const previous = Math.max(0, offset - size)
  return {
    previous: previous === 0 ? { kind: 'start' } : { kind: 'offset', offset: previous },
    next: { kind: 'offset', offset: offset + size },
  }
}

/** The positions of the rows, where they are known. */
function rangeOf({ rows }: RowPage, place: Place): string | undefined {
  if (rows.length === 0) return undefined
  if (place.kind === 'offset') return `${place.offset + 1}–${place.offset + rows.length}`
  return place.kind === 'start' ? `1–${rows.length}` : undefined
}
