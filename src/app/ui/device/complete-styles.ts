/**
 * Waits for the complete styles, or for their failure. A page of the server begins with only those
 * that its markup uses.
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
