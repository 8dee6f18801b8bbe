/** The period of '1.' at the start of a line does not end a sentence. */
const ENDING = /(?<=(?<!^\d{1,2})[.!?…]["'”’)]*)[ \t]+|\n+/m

/** Markup that the screens would show literally: bold, italics, headings, code. */
const MARKUP = /\*\*|__|`|^#{1,6} +/gm

/** List markers other than our '- '. */
const POINT = /^[ \t]*(?:[*•–-]|\d{1,2}[.)])[ \t]+/gm

/**
 * `rest` is the unfinished sentence. Sentences keep their trailing whitespace, so that joining all
 * parts restores the text.
 */
export function takeSentences(text: string): { sentences: string[]; rest: string } {
  const sentences: string[] = []
  let rest = text
  for (let ending = ENDING.exec(rest); ending; ending = ENDING.exec(rest)) {
    const end = ending.index + ending[0].length
    // Waits for the next chunk, which may start with more line breaks.
    if (end === rest.length && ending[0].startsWith('\n')) break
    sentences.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return { sentences, rest }
}

/** Removes markup, except for paragraphs and '- ' lists. */
export function withoutMarkup(sentence: string): string {
  return sentence.replaceAll(POINT, '- ').replaceAll(MARKUP, '')
}
