/** A timestamp as clients see it: ISO 8601 to the second, with its offset. */
export function showTimestamp(timestamp: Date): string {
  return `${timestamp.toISOString().slice(0, 19)}+00:00`
}
