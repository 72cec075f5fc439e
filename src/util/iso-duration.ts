/** A duration by its parts; all have the same sign. */
interface Duration {
  readonly sign: 1 | -1
  readonly months: number
  readonly milliseconds: number
}

const pattern =
  /^(-?)P(?!$)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?!$)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/

/** Reads an ISO 8601 duration such as `P7D`, `-P1M` or `PT1H30M`; undefined if it is none. */
function readDuration(text: string): Duration | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(2)
    .map((part) => Number(part ?? 0))
  const wholeDays = (weeks ?? 0) * 7 + (days ?? 0)
  return {
    sign: match[1] === '-' ? -1 : 1,
    months: (years ?? 0) * 12 + (months ?? 0),
    milliseconds: (((wholeDays * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000,
  }
}

/** Whether a text is an ISO 8601 duration that `addDuration` takes. */
export function isDuration(text: string): boolean {
  return readDuration(text) !== undefined
}

/**
 * A time so much later, or earlier for a negative duration; undefined if the text is no ISO 8601 duration. Months and
 * years follow the calendar in UTC: one month after January 31st is the last day of February.
 */
export function addDuration(time: Date, duration: string): Date | undefined {
  const read = readDuration(duration)
  if (read === undefined) return undefined
  const { sign, months, milliseconds } = read
  const moved = new Date(time)
  const day = moved.getUTCDate()
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + sign * months)
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(day, lastDay))
  return new Date(moved.getTime() + sign * milliseconds)
}
