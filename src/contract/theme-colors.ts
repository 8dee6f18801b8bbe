/** The colors of a browser's own bars beside each theme: those of the paper in `theme.css`. */
export const THEME_COLORS = { light: '#F6F4EE', dark: '#0D0C0A' } as const
