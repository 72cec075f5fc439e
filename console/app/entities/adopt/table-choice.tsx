import { Badge, Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AdoptableTable } from './adoption.ts'
import classes from './table-choice.module.css'

interface TableChoiceProps {
  readonly tables: readonly AdoptableTable[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
  /** Shows what would become of the chosen tables. */
  readonly onShow: () => void
}

const rowHeight = 40

/** How many tables the gateway adopts in one call. */
const mostAtOnce = 1000

/** Chooses among thousands of tables. Only the rows on the screen exist. */
export function TableChoice({ tables, chosen, onChange, onShow }: TableChoiceProps) {
  const { t } = useTranslation('entities')
  const [typed, setTyped] = useState('')
  const found = useMemo(() => {
    const wanted = typed.trim().toLowerCase()
    return tables.filter(({ name, comment }) => `${name}\n${comment ?? ''}`.toLowerCase().includes(wanted))
  }, [tables, typed])
  const toggle = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    onChange(next)
  }
  const isFull = chosen.size >= mostAtOnce
  const selectFound = () => {
    const adoptable = found.filter(({ name, kind }) => kind === 'table' && !chosen.has(name))
    const added = adoptable.slice(0, mostAtOnce - chosen.size)
    onChange(new Set([...chosen, ...added.map(({ name }) => name)]))
  }
  return (
    <>
      <TextInput
        type="search"
        label={t('adopt.search')}
        description={t('adopt.count', { found: found.length, count: tables.length })}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {found.length === 0 ? (
        <Text>{t('adopt.nothing')}</Text>
      ) : (
        <FoundTables tables={found} chosen={chosen} isFull={isFull} onToggle={toggle} />
      )}
      <Group justify="space-between">
        <Group gap="xs">
          <Text role="status">{t('adopt.chosen', { count: chosen.size })}</Text>
          <Button size="compact-sm" variant="default" onClick={selectFound}>
            {t('adopt.selectFound')}
          </Button>
          {chosen.size === 0 ? null : (
            <Button size="compact-sm" variant="default" onClick={() => onChange(new Set())}>
              {t('adopt.clear')}
            </Button>
          )}
        </Group>
        <Button disabled={chosen.size === 0} onClick={onShow}>
          {t('adopt.preview')}
        </Button>
      </Group>
      {isFull ? <Text size="sm">{t('adopt.full', { count: mostAtOnce })}</Text> : null}
    </>
  )
}

interface FoundTablesProps {
  readonly tables: readonly AdoptableTable[]
  readonly chosen: ReadonlySet<string>
  /** Whether no further table can be chosen. */
  readonly isFull: boolean
  readonly onToggle: (name: string) => void
}

function FoundTables({ tables, chosen, isFull, onToggle }: FoundTablesProps) {
  const { t } = useTranslation('entities')
  const frame = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: tables.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  return (
    <div ref={frame} className={classes.frame} style={{ height: virtualizer.getTotalSize() + 2 }}>
      <ul
        className={classes.list}
        aria-label={t('adopt.title')}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const table = tables[index]
          return table === undefined ? null : (
            <li
              key={table.name}
              className={classes.row}
              style={{ height: rowHeight, top: start }}
              aria-setsize={tables.length}
              aria-posinset={index + 1}
            >
              <Checkbox
                label={<bdi>{table.name}</bdi>}
                checked={chosen.has(table.name)}
                disabled={isFull && !chosen.has(table.name)}
                onChange={() => onToggle(table.name)}
              />
              {table.kind === 'view' ? <Badge variant="default">{t('adopt.view')}</Badge> : null}
              {table.comment === undefined ? null : (
                <Text size="sm" c="dimmed" className={classes.comment}>
                  {table.comment}
                </Text>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
