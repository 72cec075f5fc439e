import { useEffect, useState } from 'react'
import { LoginNeeded, Refusal } from '../../browser/index.ts'
import { type Entity, listEntities } from './web-front.ts'

interface EntitiesProps {
  readonly onLoginNeeded: (error: LoginNeeded) => void
  /** Takes a query for an entity that somebody chose. */
  readonly onQuery: (query: string) => void
}

/** The entities of the gateway. */
export function Entities({ onLoginNeeded, onQuery }: EntitiesProps) {
  const [entities, setEntities] = useState<readonly Entity[]>()
  const [message, setMessage] = useState<string>()

  useEffect(() => {
    listEntities().then(setEntities, (error: unknown) => {
      if (error instanceof LoginNeeded) onLoginNeeded(error)
      else if (error instanceof Refusal) setMessage(error.message)
      else throw error
    })
  }, [onLoginNeeded])

  return (
    <section aria-busy={entities === undefined && message === undefined}>
      <h2>Entities</h2>
      {message === undefined ? null : <p role="alert">{message}</p>}
      {entities?.length === 0 ? (
        <p>There are none yet. Upload their definitions to /manage/entities of the gateway.</p>
      ) : null}
      {entities === undefined || entities.length === 0 ? null : (
        <EntityTable entities={entities} onQuery={onQuery} />
      )}
    </section>
  )
}

function EntityTable({
  entities,
  onQuery,
}: Pick<EntitiesProps, 'onQuery'> & { readonly entities: readonly Entity[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Published at</th>
          <th scope="col">Fields</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {entities.map((entity) => (
          <tr key={entity.name}>
            <th scope="row">{entity.name}</th>
            <td>{entity.resource ?? 'not published'}</td>
            <td>{fieldsOf(entity).join(', ')}</td>
            <td>
              {hasTable(entity) ? (
                <button
                  type="button"
                  aria-label={`Query ${entity.name}`}
                  onClick={() => onQuery(queryFor(entity))}
                >
                  Query
                </button>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function hasTable({ definition: { persistence, abstract } }: Entity): boolean {
  return persistence !== false && abstract !== true
}

function fieldsOf({ definition: { attributes } }: Entity): readonly string[] {
  const { identifier, local_fields = [], ref_fields = [] } = attributes
  return [identifier, ...local_fields, ...ref_fields]
    .filter(({ field_persistence }) => field_persistence !== false)
    .map(({ field_name }) => field_name)
}

function queryFor(entity: Entity): string {
  return `{
  ${entity.name}(first: 10) {
    totalCount
    edges { node { ${fieldsOf(entity).join(' ')} } }
  }
}`
}
