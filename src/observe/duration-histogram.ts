import type { Metric, Registry } from 'prom-client'

export interface DurationHistogramOptions<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Label[]
  /** Upper bounds in seconds, from the smallest. */
  readonly buckets: readonly number[]
  readonly register: Registry
}

type Labels<Label extends string> = Readonly<Record<Label, string | number>>

/** What was counted with the same labels. */
interface Series<Label extends string> {
  readonly labels: Labels<Label>
  /** For each bucket, how many belong to it and to no earlier one; the last one has no bound. */
  readonly counts: number[]
  sum: number
}

/**
 * A histogram of durations for a registry of `prom-client`, whose own one checks and sorts all
 * labels each time, a large part of the cost of a short request.
 * https://prometheus.io/docs/concepts/metric_types/#histogram
 */
export class DurationHistogram<Label extends string = never> {
  readonly #options: DurationHistogramOptions<Label>
  /** By the values of the labels. */
  readonly #series = new Map<string, Series<Label>>()

  constructor(options: DurationHistogramOptions<Label>) {
    this.#options = options
    const { name, register } = options
    // This is all that a registry needs of a metric.
    const metric = { name, get: async () => this.#exported() }
    register.registerMetric(metric as unknown as Metric)
    if (options.labelNames.length === 0) this.#seriesOf({} as Labels<Label>)
  }

  /** Counts something that took this many seconds. */
  observe(labels: Labels<Label>, seconds: number): void {
    const { buckets } = this.#options
    const series = this.#seriesOf(labels)
    let bucket = 0
    while (bucket < buckets.length && seconds > (buckets[bucket] ?? 0)) bucket += 1
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.sum += seconds
  }

  #seriesOf(labels: Labels<Label>): Series<Label> {
    let key = ''
    for (const name of this.#options.labelNames) key += `${labels[name]}\n`
    const known = this.#series.get(key)
    if (known !== undefined) return known
    const made = { labels, counts: [...this.#options.buckets, 0].map(() => 0), sum: 0 }
    this.#series.set(key, made)
    return made
  }

  #exported() {
    const { name, help } = this.#options
    const values = [...this.#series.values()].flatMap((series) => this.#exportedSeries(series))
    return { name, help, type: 'histogram', aggregator: 'sum', values }
  }

  /** Buckets are cumulative. */
  #exportedSeries({ labels, counts, sum }: Series<Label>) {
    const { name, buckets } = this.#options
    let count = 0
    const bounded = counts.map((own, index) => {
      count += own
      return {
        metricName: `${name}_bucket`,
        labels: { le: buckets[index] ?? '+Inf', ...labels },
        value: count,
      }
    })
    return [
      ...bounded,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }
}
