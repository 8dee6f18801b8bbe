// For the page that the browser keeps for when there is no network: a chosen theme never flashes
// the other one. The server's pages know it.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme
    const bars = document.querySelectorAll('meta[name=theme-color]')
    const { content } = [...bars].find(({ media }) => media.includes(theme))
    for (const bar of bars) bar.content = content
  }
} catch {
  // Storage can be switched off; the device's own theme is used then.
  document.documentElement.removeAttribute('data-theme')
}
