import type { Syntax } from '../../syntax.ts'

/** The properties of a server in which MySQL and MariaDB differ for our statements. */
export interface MysqlServer {
  /** The collation in which two texts are equal only if they are identical, including trailing blanks. */
  readonly exactCollation: string
  /** How the default of a long text is written: https://dev.mysql.com/doc/refman/8.0/en/data-type-defaults.html */
  readonly textDefaults: 'literals' | 'expressions'
  /** How the key of a new row is returned: https://mariadb.com/kb/en/insertreturning/ */
  readonly insertedKeys: Syntax['insertedKeys']
}

/** From the text of `select version()`, in which MariaDB includes its name. */
export function serverOf(version: string): MysqlServer {
  return /mariadb/i.test(version)
    ? { exactCollation: 'utf8mb4_nopad_bin', textDefaults: 'literals', insertedKeys: { by: 'returning' } }
    : {
        exactCollation: 'utf8mb4_0900_bin',
        textDefaults: 'expressions',
        insertedKeys: { by: 'lastNumber', query: 'select last_insert_id()' },
      }
}
