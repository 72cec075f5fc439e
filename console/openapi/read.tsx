import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import classes from './apis.module.css'
import { useApis } from './apis-context.ts'

interface ReadProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** What was read, or why it could not be read, or that it is being read. */
export function Read<Data>({ query: { data, error, refetch }, children }: ReadProps<Data>) {
  const { texts } = useApis()
  if (data !== undefined) return children(data)
  if (error === null) {
    return (
      <p role="status" className={classes.faint}>
        {texts.loading} …
      </p>
    )
  }
  return (
    <div role="alert" className={classes.alert}>
      <p>{error.message}</p>
      <button type="button" className={classes.plain} onClick={() => void refetch()}>
        {texts.retry}
      </button>
    </div>
  )
}
