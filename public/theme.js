// Runs before the first paint, so that a chosen theme never flashes the other one. A file of its own: the page allows no inline script.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be switched off; the device's own theme is used then.
  document.documentElement.removeAttribute('data-theme')
}
