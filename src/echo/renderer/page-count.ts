/**
 * How many pages a PDF of the browser has. Its page trees are not compressed; the root has the highest count: ISO
 * 32000-2, 7.7.3.2.
 */
export function pageCountOf(pdf: Uint8Array): number {
  const text = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString('latin1')
  const counts = [...text.matchAll(/\/Type\s*\/Pages\b[^>]*?\/Count\s+(\d{1,9})/g)].map(([, count]) =>
    Number(count),
  )
  return Math.max(0, ...counts)
}
