/** Says what is done, which may take long. At a terminal the line counts the seconds, and says `done` at the end. */
export async function withProgress(what, work) {
  const { stderr } = process
  if (!stderr.isTTY) {
    console.error(`${what} …`)
    return work()
  }
  const start = performance.now()
  const show = (end) =>
    stderr.write(`\r\u001b[K${what} … ${Math.round((performance.now() - start) / 1000)} s${end}`)
  show('')
  const timer = setInterval(() => show(''), 1000)
  let end = ', failed\n'
  try {
    const result = await work()
    end = ', done\n'
    return result
  } finally {
    clearInterval(timer)
    show(end)
  }
}
