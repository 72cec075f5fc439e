import type { CatalogMark } from '../../catalog-mark.ts'
import type { Connection } from '../../driver.ts'
import { arrayText } from './key-list.ts'

/**
 * Every row of the catalogue has the number of the transaction that wrote it; statistics are updated in place and
 * change none.
 */
const sql = `
with served as (select oid, xmin::text::bigint as mark from pg_namespace where nspname = any($1::text[])),
relation as (
  select c.oid, c.xmin::text::bigint as mark from pg_class c
  where c.relnamespace in (select oid from served) and c.relkind in ('r', 'p', 'v', 'm', 'f')
)
select concat_ws(' ',
  (select count(*) || '/' || sum(mark) from served),
  (select count(*) || '/' || sum(mark) from relation),
  (select count(*) || '/' || sum(a.xmin::text::bigint) from pg_attribute a join relation r on r.oid = a.attrelid where a.attnum > 0),
  (select count(*) || '/' || sum(k.xmin::text::bigint) from pg_constraint k join relation r on r.oid = k.conrelid),
  (select count(*) || '/' || sum(i.xmin::text::bigint) from pg_index i join relation r on r.oid = i.indrelid),
  (select count(*) || '/' || sum(t.xmin::text::bigint) from pg_trigger t join relation r on r.oid = t.tgrelid
    where not t.tgisinternal),
  (select count(*) || '/' || sum(xmin::text::bigint) from pg_enum),
  (select count(*) || '/' || sum(xmin::text::bigint) from pg_type where typtype = 'd'),
  (select count(*) || '/' || sum(d.xmin::text::bigint) from pg_description d join relation r on r.oid = d.objoid
    where d.classoid = 'pg_class'::regclass))`

/** Reads the state of the catalogue for some schemas, in one statement. */
export async function postgresqlCatalogMark(
  connection: Connection,
  schemas: readonly string[],
): Promise<CatalogMark> {
  const [row] = await connection.query({ sql, parameters: [arrayText(schemas)] })
  return { text: String(row?.[0]) }
}
