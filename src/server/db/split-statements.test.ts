import { expect, test } from 'vitest'
import { splitStatements } from './split-statements.ts'

test('a migration is split between statements only', () => {
  const text = `
-- It's a comment; with a semicolon and an apostrophe.
create table a (b text default 'it''s; here'); -- The next one; on the same line.
create function f() returns void language plpgsql as $$
begin
  -- Isn't split;
  perform 'x; y';
end $$;
do $body$ begin execute $$select 1; select 2$$; end $body$;

select 1`
  expect(splitStatements(text)).toEqual([
    "create table a (b text default 'it''s; here')",
    "create function f() returns void language plpgsql as $$\nbegin\n  -- Isn't split;\n  " +
      "perform 'x; y';\nend $$",
    'do $body$ begin execute $$select 1; select 2$$; end $body$',
    'select 1',
  ])
  expect(splitStatements('-- Nothing.\n')).toEqual([])
})
