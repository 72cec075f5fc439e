/** What a table refuses where no field of the record is to blame: keys of expressions, and what its triggers write elsewhere. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOn } from '../support/describe-on.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

describeOn(
  products.filter(({ name }) => name === 'PostgreSQL'),
  (product) => {
    let gateway: TestGateway
    beforeAll(async () => {
      gateway = await startTestGateway(product, async (options) => {
        await runStatements(options, [
          'create table log (id serial primary key, note text not null, code integer unique)',
          "insert into log (note, code) values ('x', 7)",
          'create table item (id integer primary key, v text, code integer unique, note text)',
          'create unique index on item (lower(v))',
          `create function tell() returns trigger language plpgsql as $$ begin
             if new.note = 'taken' then insert into log (note, code) values ('x', 7);
             elsif new.note = 'null' then insert into log (code) values (8);
             end if; return null; end $$`,
          'create trigger tell after insert or update on item for each row execute function tell()',
          "insert into item values (1, 'One', 1)",
          'create table parted (id integer primary key, v text not null) partition by range (id)',
          'create table parted_1 partition of parted for values from (0) to (100)',
          "insert into parted values (1, 'a')",
        ])
      })
      const adopted = await gateway.request('POST', '/manage/entities/adopt', {
        body: { tables: ['item', 'parted'] },
      })
      expect(adopted.status).toBe(201)
    })
    afterAll(() => gateway.close())

    const detail =
      'A trigger of the table writes into another one, which does not take that. Nothing was changed.'
    const taken = 'Another record has this value already.'
    test.each([
      ['items', { id: 2, note: 'taken' }, 409, { code: 'VALUE_NOT_UNIQUE', detail }],
      ['items', { id: 2, note: 'null' }, 422, { code: 'RECORD_INVALID', detail }],
      ['items', { id: 2, v: 'oNE' }, 409, { code: 'VALUE_NOT_UNIQUE', detail: taken }],
      ['parteds', { id: 1, v: 'b' }, 409, { code: 'VALUE_NOT_UNIQUE', errors: [{ pointer: '/id' }] }],
    ])('%s: %j', async (resource, record, status, problem) => {
      const created = await gateway.request('POST', `/apis/${resource}`, { body: record })
      expect([created.status, created.body]).toMatchObject([status, problem])
      if (!('errors' in problem)) expect(created.body).not.toHaveProperty('errors')
      const many = await gateway.request('POST', `/apis/${resource}`, {
        body: [{ ...record, id: 50, v: 'z', ...('note' in record && { note: 'x' }) }, record],
      })
      expect([many.status, many.body]).toMatchObject([
        status,
        { errors: [{ pointer: 'errors' in problem ? '/1/id' : '/1' }] },
      ])
    })
  },
)
