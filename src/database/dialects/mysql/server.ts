import type { Syntax } from '../../syntax.ts'

/** What one server is, as far as statements differ between MySQL and MariaDB. */
export interface MysqlServer {
  /** The collation by which two texts are equal only when they are the same text, with trailing blanks counted. */
  readonly exactCollation: string
  /** How the default of a long text is written: https://dev.mysql.com/doc/refman/8.0/en/data-type-defaults.html */
  readonly textDefaults: 'literals' | 'expressions'
  /** How the key of a new row is told: https://mariadb.com/kb/en/insertreturning/ */
  readonly insertedKeys: Syntax['insertedKeys']
}

/** From the text of `select version()`: MariaDB says its name in it. */
export function serverOf(version: string): MysqlServer {
  return /mariadb/i.test(version)
    ? { exactCollation: 'utf8mb4_nopad_bin', textDefaults: 'literals', insertedKeys: { by: 'returning' } }
    : {
        exactCollation: 'utf8mb4_0900_bin',
        textDefaults: 'expressions',
        insertedKeys: { by: 'lastNumber', query: 'select last_insert_id()' },
      }
}
