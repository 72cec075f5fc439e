/** The tables of the store in a database of PostgreSQL, as they were made. */

type OnServer = (sql: string, database?: string) => Promise<readonly (readonly unknown[])[]>

/** All names of them begin like this. */
const isOfStore = "relname like 'gatehouse\\_%'"

/** What tests may put beside them, and the rows of them. */
const clearing = `
  do $$
  declare found record;
  begin
    for found in select quote_ident(extname) as name from pg_extension where extname <> 'plpgsql' loop
      execute format('drop extension %s cascade', found.name);
    end loop;
    for found in select quote_ident(nspname) as name from pg_namespace where nspname !~ '^(pg_|information_schema$|public$)' loop
      execute format('drop schema %s cascade', found.name);
    end loop;
    for found in
      select format('%I', relname) as name, case relkind
        when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' when 'S' then 'sequence' else 'table' end as kind
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S') and not ${isOfStore}
    loop
      -- It may have gone with another one.
      if to_regclass('public.' || found.name) is not null then
        execute format('drop %s public.%s cascade', found.kind, found.name);
      end if;
    end loop;
    for found in select oid::regprocedure as name from pg_proc where pronamespace = 'public'::regnamespace loop
      execute format('drop routine if exists %s cascade', found.name);
    end loop;
    for found in select oid::regtype as name from pg_type
      where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')
    loop
      execute format('drop type if exists %s cascade', found.name);
    end loop;
    for found in select oid::regclass as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
    loop
      execute format('delete from %s', found.name);
    end loop;
  end $$`

/** All that there is, except rows. */
const description = `
  with tables as (select * from pg_class where relnamespace = 'public'::regnamespace)
  select concat_ws(E'\n',
    (select concat_ws(' ', nspacl, nspowner) from pg_namespace where nspname = 'public'),
    (select concat_ws(' ', datacl, datdba) from pg_database where datname = current_database()),
    (select string_agg(concat_ws(' ', relname, relkind, relacl, relowner, relpersistence, reloptions, relrowsecurity, relhastriggers), E'\n' order by relname) from tables),
    (select string_agg(concat_ws(' ', relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull, attcollation, attacl, pg_get_expr(adbin, adrelid)), E'\n' order by relname, attnum)
      from tables join pg_attribute on attrelid = tables.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum where attnum > 0),
    (select string_agg(concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)), E'\n' order by conrelid::regclass::text, conname) from pg_constraint where connamespace = 'public'::regnamespace),
    (select string_agg(pg_get_indexdef(indexrelid), E'\n' order by indexrelid::regclass::text) from pg_index where indrelid in (select oid from tables)),
    (select count(*) from pg_depend where refclassid = 'pg_namespace'::regclass and refobjid = 'public'::regnamespace),
    (select count(*) from pg_event_trigger), (select count(*) from pg_trigger where not tgisinternal),
    (select count(*) from pg_description where objoid >= 16384), (select count(*) from pg_policy), (select count(*) from pg_rewrite where oid >= 16384),
    (select count(*) from pg_db_role_setting join pg_database on setdatabase = pg_database.oid where datname = current_database())
  )`

/** Remembers how the tables were made, and has a database be like that again. */
export class PostgresqlStore {
  readonly #onServer: OnServer
  #description: unknown
  /** Statements that insert the rows of new tables. */
  #rows = ''

  constructor(onServer: OnServer) {
    this.#onServer = onServer
  }

  /** Remembers the tables of a database that were just made. */
  async remember(name: string): Promise<void> {
    if (this.#description !== undefined) return
    const tables = await this.#onServer(
      `select relname from pg_class where ${isOfStore} and relkind = 'r'`,
      name,
    )
    const statements = tables.map(
      ([table]) =>
        `select format('insert into public.${table} select * from json_populate_recordset(null::public.${table}, %L)', json_agg(t)) from public.${table} t having count(*) > 0`,
    )
    this.#rows = (await this.#onServer(statements.join(' union all '), name))
      .map(([sql]) => `${sql};`)
      .join('')
    this.#description = (await this.#onServer(description, name))[0]?.[0]
  }

  /** Removes what is beside the tables, and their rows; false where they are not as they were made. */
  async isReset(name: string): Promise<boolean> {
    try {
      const [row] = await this.#onServer(
        `set client_min_messages = warning; set session_replication_role = replica;
        select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
        ${clearing}; ${this.#rows} ${description}`,
        name,
      )
      return row?.[0] === this.#description
    } catch {
      return false
    }
  }
}
