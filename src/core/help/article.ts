import { assert } from '#core/assert.ts'

/** A page of `docs/help`: what it answers, how people ask for it, and the answer. */
export type Article = { id: string; title: string; phrasings: readonly string[]; body: string }

/** Facts that the installation's settings decide, such as the least deposit, by the name that stands in braces in the text. */
export type Facts = Readonly<Record<string, string>>

/** Reads an article: front matter with id, title and phrasings between two lines of '---', then the body, its {facts} filled in. */
export function parseArticle(text: string, facts: Facts): Article {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
  const id = /^id: ([a-z0-9-]+)$/m.exec(head)?.[1]
  const title = /^title: (.+)$/m.exec(head)?.[1]
  assert(id !== undefined && title !== undefined, 'a help article has an id and a title')
  const phrasings = [...head.matchAll(/^ {2}- (.+)$/gm)].map(([, phrasing = '']) => phrasing)
  return { id, title, phrasings, body: fillIn(body.trim(), facts) }
}

function fillIn(body: string, facts: Facts): string {
  return body.replaceAll(/\{([a-z-]+)\}/g, (_whole, name: string) => {
    const fact = facts[name]
    assert(fact !== undefined, `no fact is called ${name}`)
    return fact
  })
}
