import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseArticle } from '#core/help/article.ts'
import catalog from '#words/de.json' with { type: 'json' }
import { questionsFor } from './landing-questions.ts'

const FOLDER = join(import.meta.dirname, '../../../docs/help')
const NO_FACTS = new Proxy({}, { get: () => 'unknown' })

test.each(['paper', 'live'] as const)(
  'the five questions of a %s book are answered in the words of their articles',
  (book) => {
    const questions = questionsFor(book)
    expect(questions).toHaveLength(5)
    for (const { article, question, answer } of questions) {
      const { title, body } = parseArticle(
        readFileSync(join(FOLDER, `${article}.md`), 'utf8'),
        NO_FACTS,
      )
      expect(question).toBe(title)
      expect(answer.length).toBeGreaterThan(0)
      for (const passage of answer) expect(body, `${article} says it so`).toContain(passage)
    }
  },
)

test.each(['paper', 'live'] as const)(
  'in German, the questions of a %s book are answered in the words of their articles',
  (book) => {
    const inGerman = (message: string): unknown => (catalog as Record<string, unknown>)[message]
    for (const { article, question, answer } of questionsFor(book)) {
      const { title, body } = parseArticle(
        readFileSync(join(FOLDER, 'de', `${article}.md`), 'utf8'),
        NO_FACTS,
      )
      expect(inGerman(question)).toBe(title)
      for (const passage of answer)
        expect(body, `${article} says it so`).toContain(inGerman(passage))
    }
  },
)
