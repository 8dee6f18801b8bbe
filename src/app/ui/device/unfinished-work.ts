/**
 * Whether a reload would lose something: text in a form, a ticked box, or a step of a money action,
 * marked with `data-unfinished`. Radio buttons are ignored, because a choice is quickly repeated,
 * and so are forms with `data-draft`, which survive a reload.
 */
export function hasUnfinishedWork(page: ParentNode): boolean {
  if (page.querySelector('[data-unfinished]') !== null) return true
  return [
    ...page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'form:not([data-draft]) :is(input, textarea)',
    ),
  ].some(isFilled)
}

function isFilled(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  if (field.type === 'radio' || field.type === 'hidden') return false
  return field instanceof HTMLInputElement && field.type === 'checkbox'
    ? field.checked
    : field.value.trim() !== ''
}
