/** Where a sentence ends: a mark with room behind it, or the end of a line. Not the dot of '1.' that opens a line. */
const ENDING = /(?<=(?<!^\d{1,2})[.!?…]["'”’)]*)[ \t]+|\n+/m

/** Markup that people would see as it is: bold, italics, headings, code. */
const MARKUP = /\*\*|__|`|^#{1,6} +/gm

/** Other ways to begin a point of a list; ours is '- '. */
const POINT = /^[ \t]*(?:[*•–-]|\d{1,2}[.)])[ \t]+/gm

/**
 * Cuts what has been written so far into sentences, each with the blank that follows it, so that together they are the text. What
 * follows the last ending may still grow: it is `rest`.
 */
export function takeSentences(text: string): { sentences: string[]; rest: string } {
  const sentences: string[] = []
  let rest = text
  for (let ending = ENDING.exec(rest); ending; ending = ENDING.exec(rest)) {
    const end = ending.index + ending[0].length
    // More line breaks may be on their way.
    if (end === rest.length && ending[0].startsWith('\n')) break
    sentences.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return { sentences, rest }
}

/** The sentence as our screens show text: paragraphs and points, nothing else. */
export function withoutMarkup(sentence: string): string {
  return sentence.replaceAll(POINT, '- ').replaceAll(MARKUP, '')
}
