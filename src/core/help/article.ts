import { assert } from '#core/assert.ts'

/** A page of `docs/help`. `title` is a question, `phrasings` are other ways to ask it. */
export type Article = { id: string; title: string; phrasings: readonly string[]; body: string }

/**
 * Values from the settings, such as the minimum deposit, by placeholder; functions for values that
 * may change.
 */
export type Facts = Readonly<Record<string, string | (() => string)>>

/** Parses the front matter (id, title, phrasings) between two '---' lines and fills in {facts}. */
export function parseArticle(text: string, facts: Facts): Article {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
  const id = /^id: ([a-z0-9-]+)$/m.exec(head)?.[1]
  const title = /^title: (.+)$/m.exec(head)?.[1]
  assert(id !== undefined && title !== undefined, 'a help article has an id and a title')
  const phrasings = [...head.matchAll(/^ {2}- (.+)$/gm)].map(([, phrasing = '']) => phrasing)
  return { id, title, phrasings, body: fillIn(body.trim(), facts) }
}

function fillIn(body: string, facts: Facts): string {
  return body.replaceAll(/\{([a-z\d-]+)\}/g, (_whole, name: string) => {
    const fact = facts[name]
    assert(fact !== undefined, `no fact is called ${name}`)
    return typeof fact === 'string' ? fact : fact()
  })
}
