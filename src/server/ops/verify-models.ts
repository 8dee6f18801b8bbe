import type { rangeModelTexts } from '#server/evidence/range-model-files.ts'

type Texts = ReturnType<typeof rangeModelTexts>

/** The first line of the shipped files that differs; undefined if all agree. */
export function differentLine(stated: Texts, computed: Texts): string | undefined {
  return (
    lineOf('data/models/range-24h.jsonl', stated.models, computed.models) ??
    lineOf('data/models/range-24h-scores.json', stated.scores, computed.scores)
  )
}

function lineOf(file: string, stated: string, computed: string): string | undefined {
  const theirs = stated.split('\n')
  const ours = computed.split('\n')
  const index = ours.findIndex((line, at) => line !== theirs[at])
  const different = index < 0 && theirs.length > ours.length ? ours.length : index
  return different < 0 ? undefined : `${file}, line ${different + 1}`
}
