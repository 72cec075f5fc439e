/** The value in the middle; of two in the middle, the greater. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** A mean of ratios with the interval that holds the true one with a probability of 95 %. */
export interface RatioInterval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/**
 * The geometric mean of ratios that were measured in pairs, with its 95 % confidence interval by Student's t of their
 * logarithms. Of a single ratio the interval is not known: its ends are not numbers.
 */
export function ratioInterval(ratios: readonly number[]): RatioInterval {
  const logarithms = ratios.map(Math.log)
  const count = logarithms.length
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / count
  const variance = logarithms.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  const half = studentT(count - 1) * Math.sqrt(variance / count)
  return { mean: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) }
}

/** The 97.5 % quantile of Student's t for 1 to 12 degrees of freedom, and a bound of it from there on. */
function studentT(degrees: number): number {
  const quantiles = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179]
  return degrees < 1 ? Number.NaN : (quantiles[degrees - 1] ?? 2.179)
}
