/** Time sheets and rates: keys of several columns, some of them dates, times and decimals, and references by such keys. */
import { type DescribedDatabase, insertRows, type Product, quoteNames } from './described-database.ts'

const moment: Readonly<Record<Product, string>> = {
  mysql: 'datetime(6)',
  sqlite: 'datetime',
  postgresql: 'timestamp(6)',
}

function statementsFor(product: Product): readonly string[] {
  return [
    'create table [employee] ([code] char(4) not null primary key, [hired] date not null)',
    'create table [timesheet] ([employee] char(4) not null, [day] date not null, [hours] decimal(4,2), primary key ([employee], [day]), foreign key ([employee]) references [employee] ([code]))',
    `create table [entry] ([employee] char(4) not null, [day] date not null, [started] ${moment[product]} not null, [note] varchar(100), primary key ([employee], [day], [started]), foreign key ([employee], [day]) references [timesheet] ([employee], [day]))`,
    'create table [rate] ([valid_from] date not null, [currency] char(3) not null, [amount] decimal(12,6) not null, primary key ([valid_from], [currency]))',
    'create table [price] ([amount] decimal(12,6) not null primary key, [label] varchar(20))',
    `create table [measurement] ([taken] ${moment[product]} not null primary key, [value] double precision)`,
    'create table [shift] ([begins] time not null primary key, [name] varchar(20))',
    insertRows(
      'employee',
      ['code', 'hired'],
      [
        ["'e1'", "'1999-12-31'"],
        ["'e2'", "'2000-01-01'"],
        ["'E2b'", "'2000-01-01'"],
      ],
    ),
    insertRows(
      'timesheet',
      ['employee', 'day', 'hours'],
      ["'e1'", "'e2'", "'E2b'"].flatMap((code) =>
        days.map((day, index) => [code, `'${day}'`, index === 0 ? 'null' : `${index}.5`]),
      ),
    ),
    insertRows(
      'entry',
      ['employee', 'day', 'started', 'note'],
      days.flatMap((day) =>
        ['00:00:00', '09:00:00', '09:00:00.000001', '23:59:59.999999'].map((time) => [
          "'e1'",
          `'${day}'`,
          `'${day} ${time}'`,
          `'at ${time}'`,
        ]),
      ),
    ),
    insertRows(
      'rate',
      ['valid_from', 'currency', 'amount'],
      days.flatMap((day, index) =>
        [`'EUR'`, `'JPY'`].map((currency) => [`'${day}'`, currency, `${index}.000001`]),
      ),
    ),
    insertRows(
      'price',
      ['amount', 'label'],
      ['-1', '0', '0.1', '0.000001', '999999.999999'].map((amount) => [amount, `'${amount}'`]),
    ),
    insertRows(
      'measurement',
      ['taken', 'value'],
      days.map((day, index) => [`'${day} 12:00:00.5'`, index === 2 ? 'null' : `${index} / 3.0`]),
    ),
    insertRows(
      'shift',
      ['begins', 'name'],
      ['00:00:00', '06:30:00', '23:59:59'].map((time) => [`'${time}'`, `'${time}'`]),
    ),
  ].map((sql) => quoteNames(sql, product))
}

const days = ['1970-01-01', '2000-02-29', '2024-02-29', '2024-12-31', '9999-12-31']

export const dateKeys: DescribedDatabase = {
  name: 'time sheets with composite date keys',
  statements: {
    mysql: statementsFor('mysql'),
    sqlite: statementsFor('sqlite'),
    postgresql: statementsFor('postgresql'),
  },
}
