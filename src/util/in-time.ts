/** Whether a promise settles within some milliseconds. */
export async function inTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), milliseconds)
  const done = work.then(
    () => true,
    () => true,
  )
  const result = await Promise.race([done, late.promise])
  clearTimeout(timer)
  return result
}
