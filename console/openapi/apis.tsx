import { useQuery } from '@tanstack/react-query'
import { ApiList } from './api-list.tsx'
import { apiListQuery, kindsQuery } from './api-queries.ts'
import { ApiView } from './api-view.tsx'
import classes from './apis.module.css'
import { useApis } from './apis-context.ts'
import type { Place } from './place.ts'
import { Read } from './read.tsx'

/** A list of APIs with a search, and beside it the operations of one; on a narrow screen one or the other. */
export function ApiPages({ place }: { readonly place: Place }) {
  const { source, texts, Link } = useApis()
  const { kind, name } = place
  const { data: kinds = ['published'] } = useQuery(kindsQuery(source))
  const list = useQuery(apiListQuery(kind, source))
  return (
    <div className={classes.apis}>
      {kinds.length === 1 ? null : (
        <nav aria-label={texts.kinds.label} className={classes.tabs}>
          {kinds.map((one) => (
            <Link key={one} to={{ kind: one }} className={classes.tab} isCurrent={one === kind}>
              {texts.kinds[one]}
            </Link>
          ))}
        </nav>
      )}
      <div className={classes.panes} data-shows={name === undefined ? 'list' : 'one'}>
        <section className={classes.side} aria-label={texts.kinds[kind]}>
          <Read query={list}>{(apis) => <ApiList key={kind} apis={apis} place={place} />}</Read>
        </section>
        {name === undefined && list.data?.length === 0 ? null : (
          <section className={classes.content} aria-label={name ?? texts.choose}>
            {name === undefined ? (
              <p>{texts.choose}</p>
            ) : (
              <>
                <p className={classes.back}>
                  <Link to={{ kind }}>← {texts.back}</Link>
                </p>
                <ApiView key={`${kind} ${name}`} kind={kind} name={name} />
              </>
            )}
          </section>
        )}
      </div>
    </div>
  )
}
