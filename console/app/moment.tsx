/** A time as people write it here; `otherwise` where there is none. */
export function Moment({ time, otherwise }: { readonly time: string | null; readonly otherwise: string }) {
  if (time === null) return <>{otherwise}</>
  const shown = new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return <time dateTime={time}>{shown}</time>
}
