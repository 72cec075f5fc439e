/**
 * `kill -9` at random moments of uploads, on every product that this machine has:
 * `npm run build && node scripts/kill-uploads.ts [moments] [product]`, 200 moments unless another number is given. Ends
 * with 1 where an upload is found that is neither wholly there nor wholly absent.
 */
import { type KillReport, killUploads } from '../test/support/kill-uploads.ts'
import { products } from '../test/support/products.ts'

const tell = ({ moments: done, there, absent }: KillReport) => {
  if (done % 20 === 0) console.log(`  ${done} moments, ${there} wholly there, ${absent} wholly absent`)
}

const [moments = '200', name] = process.argv.slice(2)
for (const product of products.filter((each) => name === undefined || each.name === name)) {
  const database = await product.createDatabase()
  try {
    const begun = performance.now()
    const { broken, ...report } = await killUploads(database.options, Number(moments), Math.random, tell)
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    console.log(
      `${product.name}: ${report.moments} moments, ${report.there} wholly there, ${report.absent} wholly absent, ${broken.length} neither; ${report.answered} were answered before the kill; ${seconds} s`,
    )
    for (const sentence of broken) console.log(`  ${sentence}`)
    if (broken.length > 0) process.exitCode = 1
  } finally {
    await database.remove()
  }
}
