/**
 * Whether a reload would lose something: text typed into a form, a ticked box, or a step of a money action that says so of itself
 * with `data-unfinished`. A choice among given answers is quickly made again.
 */
export function hasUnfinishedWork(page: ParentNode): boolean {
  if (page.querySelector('[data-unfinished]') !== null) return true
  return [...page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('form input, form textarea')].some(isFilled)
}

function isFilled(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  if (field.type === 'radio' || field.type === 'hidden') return false
  return field instanceof HTMLInputElement && field.type === 'checkbox' ? field.checked : field.value.trim() !== ''
}
