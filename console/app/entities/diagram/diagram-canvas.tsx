import '@xyflow/react/dist/style.css'
import { ActionIcon, Group, useComputedColorScheme } from '@mantine/core'
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import {
  type Edge,
  MarkerType,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './diagram.module.css'
import type { Graph } from './graph.ts'
import { layoutOf } from './layout.ts'
import { TableNode, type TableNodeType } from './table-node.tsx'

interface DiagramCanvasProps {
  readonly graph: Graph
  /** The table in the middle; '' if there is none. */
  readonly focus: string
  readonly allFields: boolean
  readonly addressOf: (id: string) => string
}

const nodeTypes = { table: TableNode }

/** Below it only names are drawn, in large letters. */
const legibleZoom = 0.5

/** Draws a graph: https://reactflow.dev/ */
export function DiagramCanvas(props: DiagramCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

function Canvas({ graph, focus, allFields, addressOf }: DiagramCanvasProps) {
  const { t } = useTranslation('entities')
  const colorMode = useComputedColorScheme()
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < legibleZoom)
  const { nodes, edges } = useMemo(
    () => elementsOf(graph, { focus, allFields, addressOf }),
    [graph, focus, allFields, addressOf],
  )
  return (
    <section
      className={`${classes.canvas} ${isFar ? classes.far : ''}`}
      aria-label={t('diagram.label', { count: graph.tables.length })}
    >
      <ReactFlow
        colorMode={colorMode}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.05 }}
        minZoom={0.02}
        maxZoom={2}
      >
        <ZoomButtons />
      </ReactFlow>
    </section>
  )
}

function ZoomButtons() {
  const { t } = useTranslation('entities')
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  const buttons = [
    { key: 'in', Icon: IconPlus, act: () => zoomIn() },
    { key: 'out', Icon: IconMinus, act: () => zoomOut() },
    { key: 'fit', Icon: IconMaximize, act: () => fitView({ maxZoom: 1, padding: 0.05 }) },
  ] as const
  return (
    <Panel position="bottom-left">
      <Group gap={4}>
        {buttons.map(({ key, Icon, act }) => (
          <ActionIcon
            key={key}
            variant="default"
            size="lg"
            aria-label={t(`diagram.controls.${key}`)}
            onClick={() => void act()}
          >
            <Icon size={18} />
          </ActionIcon>
        ))}
      </Group>
    </Panel>
  )
}

function elementsOf(
  graph: Graph,
  { focus, allFields, addressOf }: Omit<DiagramCanvasProps, 'graph'>,
): { readonly nodes: TableNodeType[]; readonly edges: Edge[] } {
  const places = layoutOf(graph, allFields)
  const nodes = graph.tables.map((table): TableNodeType => {
    const { x = 0, y = 0, width = 0, height = 0 } = places.get(table.id) ?? {}
    const data = { table, allFields, address: addressOf(table.id), isFocused: table.id === focus }
    return { id: table.id, type: 'table', position: { x, y }, width, height, data }
  })
  const edges = graph.links.map(
    ({ from, to, fields }): Edge => ({
      id: JSON.stringify([from, to, fields.map(({ own }) => own)]),
      source: from,
      target: to,
      type: from === to ? 'default' : 'smoothstep',
      markerEnd: { type: MarkerType.ArrowClosed },
    }),
  )
  return { nodes, edges }
}
