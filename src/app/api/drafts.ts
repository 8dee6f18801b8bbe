import { useMemo } from 'react'
import { fieldsOf, forgetText, keepText, keptText, useKeptText } from '#app/ui/device/kept-text.ts'
import { useUser } from './queries.ts'

/** Values typed and not sent yet, by field. Never card data. */
export type Draft = Readonly<Record<string, string>>

/**
 * A draft of the user in this tab, which survives Back, Forward and a reload. The function merges
 * fields into the draft; without fields it drops the draft.
 */
export function useDraft(name: string): [Draft, (fields?: Draft) => void] {
  const key = `${name}.${useUser().data?.id}`
  const text = useKeptText(key)
  const draft = useMemo(() => parse(text), [text])
  return [
    draft,
    (fields) =>
      fields
        ? keepText(key, JSON.stringify({ ...parse(keptText(key)), ...fields }))
        : forgetText(key),
  ]
}

function parse(text: string | undefined): Draft {
  return Object.fromEntries(
    Object.entries(fieldsOf(text)).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  )
}
