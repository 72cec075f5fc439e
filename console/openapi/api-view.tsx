import { useQuery } from '@tanstack/react-query'
import { type ApiOperations, apiQuery } from './api-queries.ts'
import classes from './apis.module.css'
import { useApis } from './apis-context.ts'
import { OperationSection } from './operation-section.tsx'
import type { ApiKind } from './place.ts'
import { Read } from './read.tsx'

interface ApiViewProps {
  readonly kind: ApiKind
  readonly name: string
}

/** The operations of one API. */
export function ApiView({ kind, name }: ApiViewProps) {
  const { source, texts } = useApis()
  const query = useQuery(apiQuery(kind, name, source, texts))
  return (
    <>
      <h2 className={classes.name}>
        <bdi>{query.data?.label ?? name}</bdi>
      </h2>
      <Read query={query}>{(found) => <Operations {...found} />}</Read>
    </>
  )
}

function Operations({ document, operations, address }: ApiOperations) {
  const { texts } = useApis()
  return (
    <>
      {operations.length === 0 ? <p>{texts.noOperations}</p> : null}
      {operations.map((operation) => (
        <OperationSection key={operation.id} document={document} operation={operation} />
      ))}
      {address === undefined ? null : (
        <p className={classes.faint}>
          {texts.document} <code>GET {address}</code>
        </p>
      )}
    </>
  )
}
