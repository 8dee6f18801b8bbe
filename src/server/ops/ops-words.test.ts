import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { keepPort } from '#server/settings/own-address.ts'
import { deliverNotices } from '#server/notices/deliver.ts'
import { sentenceOfError } from './commands.ts'
import { runCommand } from './run-command.ts'
import { sentenceOfSurplus, USAGES } from './usage.ts'
import { signInAs } from '../../../test/world/operators.ts'
import { databaseUrl } from '../../../test/process/postgres.ts'
import { createWorld, SETTINGS } from '../../../test/world/world.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ops-words-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs a command without a database: its words are refused before a database is needed. */
async function expectRefused(words: readonly string[], sentence: RegExp): Promise<void> {
  const refused = runCommand(words, {
    DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c',
    DATA_DIR: join(folder, 'data'),
    SESSION_SECRET: 'x'.repeat(32),
  })
  await expect(refused.catch(sentenceOfError)).resolves.toMatch(sentence)
}

test('an unknown command is reported, and the list of commands is printed', async () => {
  await expectRefused(['dance', 'now'], /^There is no command dance\.\nnpm run ops -- COMMAND\n/)
  await expectRefused([], /^npm run ops -- COMMAND\n/)
  for (const word of ['help', '--help', '-h'])
    expect((await runCommand([word])).lines[0]).toBe('npm run ops -- COMMAND')
})

/** Words that a form accepts, with one of each choice, including those in brackets. */
const wordsOf = (form: string): string[] =>
  form
    .replaceAll(/[[\]]/g, '')
    .split(' ')
    .map((word) => word.split('|')[0] ?? '')

test.each(
  Object.entries(USAGES).flatMap(([name, forms]) =>
    forms.map(([form]) => [form, name as keyof typeof USAGES] as const),
  ),
)('%s accepts these words and refuses one more, before anything is done', async (form, name) => {
  const words = wordsOf(form)
  for (let count = 1; count <= words.length; count += 1)
    expect([count, sentenceOfSurplus(name, words.slice(1, count))]).toEqual([count, undefined])
  if (form.includes('…'))
    return expect(sentenceOfSurplus(name, [...words.slice(1), 'surplus', 'more'])).toBeUndefined()
  await expectRefused([...words, 'surplus'], /^"surplus" is not understood: use npm run ops -- /)
})

test('a word that is not a choice of its command is reported', async () => {
  await expectRefused(['reconcile', 'x'], /^"x" is not understood: use npm run ops -- reconcile$/)
  await expectRefused(
    ['distribute', '--now'],
    /^"--now" is not understood: use npm run ops -- distribute \[--shards NUMBER\] \[--yes\]$/,
  )
  await expectRefused(
    ['user', 'ada', 'melt'],
    /^"melt" is not understood: use npm run ops -- user NAME, or /,
  )
})

test('the README names every command', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../../README.md'), 'utf8')
  expect(readme).toContain(`| \`npm run ops -- COMMAND\` | ${Object.keys(USAGES).join(' · ')} |`)
})

test('a restore reports a missing file before it reads the database', async () => {
  await expectRefused(
    ['restore', join(folder, 'nowhere.gz')],
    /nowhere\.gz cannot be used: it does not exist\.$/,
  )
  await expectRefused(['restore', folder], /cannot be used: it is a folder\.$/)
  expect(await readdir(folder), 'and no database is made for it').not.toContain('data')
})

test("mail prints links with the configured port, else with the running server's", async () => {
  const world = await createWorld()
  const [row] = await world.context.sql<{ name: string }[]>`select current_database() as name`
  const { token } = await signInAs(world.context, { name: 'Grace', roles: ['support'] })
  const ada = await world.user()
  await ada.call('changeEmail', {
    body: { email: 'ada@example.com', currentPassword: 'correct horse battery' },
  })
  await deliverNotices(world.context, 'mail')
  const settings = {
    ...SETTINGS,
    DATABASE_URL: databaseUrl(inject('postgresUrl'), row?.name ?? ''),
    DATA_DIR: folder,
    OPERATOR_TOKEN: token,
    MARKET_FEED: 'simulated',
  }
  const linksAt = async (env: Record<string, string>) =>
    /http:\/\/localhost:\d+/.exec(
      (await runCommand(['mail', ada.username], { ...settings, ...env })).lines.join('\n'),
    )?.[0]
  expect(await linksAt({})).toBe('http://localhost:5000')
  keepPort(folder, 8123)
  expect(await linksAt({})).toBe('http://localhost:8123')
  expect(await linksAt({ PORT: '8456' })).toBe('http://localhost:8456')
  await world.close()
})
