import { Graph as DagreGraph, layout } from '@dagrejs/dagre'
import { drawnFields, type Graph } from './graph.ts'

/** Where a table is drawn: its upper left corner and its size, in pixels. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const width = 240
const headHeight = 37
const fieldHeight = 24
const gap = 40
const gapBetweenRanks = 120
/** How much wider than high a diagram should be, as screens are. */
const aspectRatio = 1.8

/**
 * Places tables so that references go from left to right; those without any stand at the right end. A rank of many tables
 * is broken into several columns.
 */
export function layoutOf({ tables, links }: Graph, allFields: boolean): ReadonlyMap<string, Place> {
  const sizes = tables.map((table): Size => {
    const [drawn, left] = drawnFields(table, allFields)
    return { id: table.id, height: headHeight + fieldHeight * (drawn.length + (left > 0 ? 1 : 0)) }
  })
  const linked = new Set(links.filter(({ from, to }) => from !== to).flatMap(({ from, to }) => [from, to]))
  const ranks = ranksOf(
    sizes.filter(({ id }) => linked.has(id)),
    links,
  )
  const alone = sizes.filter(({ id }) => !linked.has(id))
  return placed(alone.length === 0 ? ranks : [...ranks, alone])
}

interface Size {
  readonly id: string
  readonly height: number
}

type Rank = readonly Size[]

/** The tables of each rank in an order in which few references cross. */
function ranksOf(sizes: readonly Size[], links: Graph['links']): readonly Rank[] {
  const graph = new DagreGraph()
  graph.setGraph({ rankdir: 'LR' })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, height } of sizes) graph.setNode(id, { width, height })
  for (const { from, to } of links) if (from !== to) graph.setEdge(from, to)
  layout(graph)
  const points = sizes.map((size) => ({ size, ...(graph.node(size.id) as { x: number; y: number }) }))
  const ranks = Map.groupBy(points, ({ x }) => x)
  return [...ranks]
    .sort(([left], [right]) => left - right)
    .map(([, rank]) => rank.sort((above, below) => above.y - below.y).map(({ size }) => size))
}

/** The lowest height of columns with which the whole is not wider than it should be. */
function placed(ranks: readonly Rank[]): ReadonlyMap<string, Place> {
  const tallest = Math.max(0, ...ranks.map(heightOf))
  let most = Math.max(0, ...ranks.flat().map(({ height }) => height + gap))
  let columns = columnsOf(ranks, most)
  while (most < tallest && widthOf(columns) > most * aspectRatio) {
    most *= 1.1
    columns = columnsOf(ranks, most)
  }
  return inColumns(columns)
}

/** A column of tables, and whether it is the first of its rank. */
interface Column {
  readonly sizes: readonly Size[]
  readonly isFirst: boolean
}

function columnsOf(ranks: readonly Rank[], most: number): readonly Column[] {
  return ranks.flatMap((rank) => {
    const count = Math.ceil(heightOf(rank) / most)
    const length = Math.ceil(rank.length / count)
    return Array.from({ length: Math.ceil(rank.length / length) }, (_, index) => ({
      sizes: rank.slice(index * length, (index + 1) * length),
      isFirst: index === 0,
    }))
  })
}

function inColumns(columns: readonly Column[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  let right = 0
  for (const { sizes, isFirst } of columns) {
    const x = right === 0 ? 0 : right + (isFirst ? gapBetweenRanks : gap)
    let y = -heightOf(sizes) / 2
    for (const { id, height } of sizes) {
      places.set(id, { x, y, width, height })
      y += height + gap
    }
    right = x + width
  }
  return places
}

function heightOf(sizes: readonly Size[]): number {
  return sizes.reduce((sum, { height }) => sum + height + gap, 0)
}

function widthOf(columns: readonly Column[]): number {
  return columns.reduce((sum, { isFirst }) => sum + width + (isFirst ? gapBetweenRanks : gap), 0)
}
