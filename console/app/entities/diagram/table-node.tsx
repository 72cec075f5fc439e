import { IconArrowRight, IconKey } from '@tabler/icons-react'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import classes from './diagram.module.css'
import { drawnFields, type GraphTable } from './graph.ts'

/** A table in the diagram. */
export type TableNodeType = Node<
  {
    readonly table: GraphTable
    readonly allFields: boolean
    /** Where it leads. */
    readonly address: string
    readonly isFocused: boolean
  },
  'table'
>

/** How high a line of the name is when it is all that can be read, in pixels. */
const farLine = 36

/** A table: its name, which opens it, and its fields. */
export function TableNode({ data, height = 0 }: NodeProps<TableNodeType>) {
  const { table, allFields, address, isFocused } = data
  const { t } = useTranslation('entities')
  const [drawn, left] = drawnFields(table, allFields)
  return (
    <div className={`${classes.table} ${isFocused ? classes.focused : ''}`}>
      <Handle type="target" position={Position.Left} className={classes.handle} />
      <Link to={address} className={`${classes.name} nodrag nopan`} title={table.id}>
        <bdi style={{ WebkitLineClamp: Math.max(1, Math.floor(height / farLine)) }}>{table.id}</bdi>
      </Link>
      {drawn.map(({ name, type, isKey, isReference }) => (
        <div key={name} className={classes.field}>
          {isKey ? <IconKey size={12} aria-label={t('diagram.key')} /> : null}
          {isReference ? <IconArrowRight size={12} aria-label={t('diagram.refersTo')} /> : null}
          <span className={classes.fieldName}>
            <bdi>{name}</bdi>
          </span>
          <span className={classes.type}>{type}</span>
        </div>
      ))}
      {left > 0 ? <div className={classes.field}>{t('diagram.moreFields', { count: left })}</div> : null}
      <Handle type="source" position={Position.Right} className={classes.handle} />
    </div>
  )
}
