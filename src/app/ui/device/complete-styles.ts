/**
 * Waits until the complete styles have loaded or failed. A rendered page starts with only the
 * styles of its markup.
 */
export async function completeStyles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  await Promise.all(links.filter(({ sheet }) => sheet === null).map(settled))
}

function settled(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['load', 'error'])
      link.addEventListener(event, () => resolve(), { once: true })
  })
}
