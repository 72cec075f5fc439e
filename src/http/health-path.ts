/** Whether a path is that of a health check. Those are served even if nothing else is. */
export function isHealthPath(path: string): boolean {
  return path === '/healthz' || path === '/readyz'
}
