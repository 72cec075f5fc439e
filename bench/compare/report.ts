import { median, ratioInterval } from '../statistics.ts'
import { descriptions, type QueryName } from './queries.ts'

/** One contender's run of one query. */
export interface Measure {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Milliseconds of processor time for each request. */
  readonly server: number
  readonly database: number | undefined
  /** Bytes, the most that were seen. */
  readonly memory: number
}

/**
 * A Markdown table. `ours ÷` is how many times as many requests ours answers, the median over the rounds; `95 %` is the
 * confidence interval of that ratio.
 */
export function tablesOf(
  name: QueryName,
  connections: number,
  measures: ReadonlyMap<string, readonly Measure[]>,
): readonly string[] {
  const ours = measures.get('ours') ?? []
  const rows = [...measures].map(([contender, own]) => {
    const middle = (value: (measure: Measure) => number) => median(own.map(value))
    const ratios = own.map((measure, round) => (ours[round]?.perSecond ?? Number.NaN) / measure.perSecond)
    const work = (measure: Measure) => measure.server + (measure.database ?? 0)
    const workRatios = own.map((measure, round) => {
      const mine = ours[round]
      return mine === undefined ? Number.NaN : work(measure) / work(mine)
    })
    const cells = [
      contender,
      middle((measure) => measure.perSecond).toFixed(own[0] && own[0].perSecond < 100 ? 1 : 0),
      middle((measure) => measure.p50).toFixed(2),
      middle((measure) => measure.p99).toFixed(2),
      middle((measure) => measure.server).toFixed(3),
      own[0]?.database === undefined ? '–' : middle((measure) => measure.database ?? 0).toFixed(3),
      (Math.max(...own.map((measure) => measure.memory)) / 2 ** 20).toFixed(0),
      median(ratios).toFixed(2),
      intervalOf(ratios),
      median(workRatios).toFixed(2),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    `\n### ${name}, ${connections === 1 ? '1 connection' : `${connections} connections`}: ${descriptions[name]}\n`,
    '| | requests/s | median ms | p99 ms | server CPU ms | database CPU ms | most MB | ours ÷ | 95 % | ours ÷ by CPU |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ]
}

function intervalOf(ratios: readonly number[]): string {
  const { low, high } = ratioInterval(ratios)
  return Number.isNaN(low) ? '–' : `${low.toFixed(2)}–${high.toFixed(2)}`
}
