import { Anchor, Badge, Code, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Timestamp } from '../components/timestamp.tsx'
import { entityPath } from './entity-paths.ts'
import type { EntitySummary } from './entity-queries.ts'
import classes from './entity-rows.module.css'

interface EntityRowsProps {
  readonly entities: readonly EntitySummary[]
  /** The names of those whose tables differ from their definitions. */
  readonly drifted: ReadonlySet<string>
}

const rowHeight = 48

/** Entities, one row each. Only the rows on the screen exist. */
export function EntityRows({ entities, drifted }: EntityRowsProps) {
  const { t } = useTranslation('entities')
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  const virtualizer = useWindowVirtualizer({
    count: entities.length,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: top,
  })
  return (
    <ul
      ref={list}
      className={classes.list}
      aria-label={t('title')}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const entity = entities[index]
        return entity === undefined ? null : (
          <li
            key={entity.name}
            className={classes.row}
            style={{ height: rowHeight, top: start - top }}
            aria-setsize={entities.length}
            aria-posinset={index + 1}
          >
            <EntityCells entity={entity} isDrifted={drifted.has(entity.name)} />
          </li>
        )
      })}
    </ul>
  )
}

interface EntityCellsProps {
  readonly entity: EntitySummary
  readonly isDrifted: boolean
}

function EntityCells({ entity, isDrifted }: EntityCellsProps) {
  const { t } = useTranslation('entities')
  return (
    <>
      <span className={classes.name}>
        <Anchor component={Link} to={entityPath(entity.name)} fw={500} className={classes.clipped}>
          <bdi>{entity.name}</bdi>
        </Anchor>
        {entity.isAdopted ? <Badge variant="default">{t('list.adopted')}</Badge> : null}
        {isDrifted ? (
          <Badge
            component={Link}
            to={entityPath(entity.name, 'drift')}
            variant="default"
            leftSection={<IconAlertTriangle size={12} color="var(--mantine-color-error)" />}
          >
            {t('list.drift')}
          </Badge>
        ) : null}
      </span>
      <span className={`${classes.extra} ${classes.clipped}`}>
        {entity.resource === null ? (
          <Text size="sm" c="dimmed">
            {t('list.unpublished')}
          </Text>
        ) : (
          <Code>{entity.resource}</Code>
        )}
      </span>
      <Text size="sm">{t('list.fields', { count: entity.fieldCount })}</Text>
      <Text size="sm" c="dimmed" className={`${classes.extra} ${classes.clipped}`} component="span">
        <Timestamp time={entity.changedAt} /> · {entity.changedBy}
      </Text>
    </>
  )
}
