import { useElementSize } from '@mantine/hooks'
import type { ReactNode } from 'react'

/** Height of a picture in pixels. */
const height = 220

interface ChartFrameProps {
  /** What the picture shows, for those who cannot see it. */
  readonly label: string
  readonly children: (width: number, height: number) => ReactNode
}

/** Gives a picture the width that there is. */
export function ChartFrame({ label, children }: ChartFrameProps) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} role="img" aria-label={label} style={{ height, overflow: 'hidden' }}>
      {width > 0 ? children(width, height) : null}
    </div>
  )
}
