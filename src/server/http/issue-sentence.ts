import type { z } from 'zod'
import { t } from '#words/words.ts'

type Raw = Parameters<z.core.$ZodErrorMap>[0]

/** The field at fault: a path within the body or the query, or a key that they do not have. */
export function fieldOf(issue: Pick<Raw, 'code' | 'path'> & { keys?: readonly string[] }): string {
  const path = (issue.path ?? []).map(String)
  return [...path, ...(issue.keys ?? []).slice(0, 1)].join('.').slice(0, 50)
}

/** The fault of a field, in the reader's language, for checks without a sentence of their own. */
export function sentenceOfIssue(issue: Raw): string {
  const field = fieldOf(issue)
  if (issue.code === 'unrecognized_keys') return t('Unknown field: {field}', { field })
  if (field === '') return t('The request must be a JSON object.')
  if (issue.code === 'too_small' || issue.code === 'too_big') return sentenceOfSize(issue, field)
  if (issue.code === 'invalid_value')
    return t('{field} must be one of: {values}', {
      field,
      values: issue.values.map(String).join(', '),
    })
  if (issue.code === 'invalid_format') return sentenceOfFormat(issue.format, field)
  return sentenceOfType(issue.code === 'invalid_type' ? issue : undefined, field)
}

function sentenceOfType(
  issue: Extract<Raw, { code: 'invalid_type' }> | undefined,
  field: string,
): string {
  const expected = issue?.expected
  if (issue && issue.input === undefined) return t('{field} is missing.', { field })
  if (expected === 'string') return t('{field} must be a text.', { field })
  if (expected === 'int') return t('{field} must be a whole number.', { field })
  if (expected === 'number') return t('{field} must be a number.', { field })
  if (expected === 'boolean') return t('{field} must be true or false.', { field })
  if (expected === 'array') return t('{field} must be a list.', { field })
  if (expected === 'object' || expected === 'record')
    return t('{field} must be an object.', { field })
  return t('{field} is not valid.', { field })
}

function sentenceOfSize(
  issue: Extract<Raw, { code: 'too_small' | 'too_big' }>,
  field: string,
): string {
  const isLeast = issue.code === 'too_small'
  const limit = String(isLeast ? issue.minimum : issue.maximum)
  if (issue.origin === 'string')
    return isLeast
      ? t('{field} must have at least {limit} characters.', { field, limit })
      : t('{field} must have at most {limit} characters.', { field, limit })
  if (issue.origin === 'array')
    return isLeast
      ? t('{field} must have at least {limit} entries.', { field, limit })
      : t('{field} must have at most {limit} entries.', { field, limit })
  return isLeast
    ? t('{field} must be at least {limit}.', { field, limit })
    : t('{field} must be at most {limit}.', { field, limit })
}

function sentenceOfFormat(format: string, field: string): string {
  if (format === 'datetime')
    return t('{field} must be a time such as 2026-01-31T12:00:00Z.', { field })
  if (format === 'uuid') return t('{field} must be an id.', { field })
  return t('{field} is not in the right format.', { field })
}
