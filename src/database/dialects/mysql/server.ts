/** What one server is, as far as statements differ between MySQL and MariaDB. */
export interface MysqlServer {
  /** The collation by which two texts are equal only when they are the same text, with trailing blanks counted. */
  readonly exactCollation: string
}

/** From the text of `select version()`: MariaDB says its name in it. */
export function serverOf(version: string): MysqlServer {
  return { exactCollation: /mariadb/i.test(version) ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin' }
}
