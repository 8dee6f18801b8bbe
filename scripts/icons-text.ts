import {
  Activity,
  ArrowLeft,
  ArrowUp,
  Bell,
  Bot,
  ChartLine,
  Check,
  ChevronDown,
  ChevronRight,
  CirclePlus,
  Copy,
  CreditCard,
  Download,
  Ellipsis,
  Eye,
  EyeOff,
  FileText,
  History,
  House,
  Landmark,
  LockKeyhole,
  MessageSquare,
  Pause,
  Pencil,
  Play,
  Search,
  SlidersHorizontal,
  Sparkles,
  Trash2,
  UserRound,
  Wallet,
  X,
  Zap,
  type LucideIcon,
} from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** By file of `src/app/ui/frame`. Home loads only the first. */
const FILES = {
  'icons.ts': {
    Bell,
    Bot,
    ChevronDown,
    ChevronRight,
    Eye,
    EyeOff,
    History,
    House,
    Landmark,
    MessageSquare,
    UserRound,
  },
  'landing-icons.ts': {
    Activity,
    LockKeyhole,
    Sparkles,
    Zap,
  },
  'later-icons.ts': {
    ArrowLeft,
    ArrowUp,
    ChartLine,
    Check,
    CirclePlus,
    Copy,
    CreditCard,
    Download,
    Ellipsis,
    FileText,
    Pause,
    Pencil,
    Play,
    Search,
    SlidersHorizontal,
    Trash2,
    Wallet,
    X,
  },
}

const HEAD = `import { drawnIcon } from './drawn-icon.ts'

// Lines of lucide.dev under the ISC license, written by \`npm run icons\`.
`

/** The text of each file: each icon as a single path. */
export const iconFiles = (): [name: string, text: string][] =>
  Object.entries(FILES).map(([file, icons]) => [
    file,
    HEAD +
      Object.entries(icons)
        .map(([name, Icon]) => formatted(name, lineOf(Icon)))
        .join(''),
  ])

function formatted(name: string, line: string): string {
  const short = `export const ${name} = drawnIcon('${line}')\n`
  const parts = line.match(/.{1,90}/g) ?? []
  return short.length <= 101
    ? short
    : `export const ${name} = drawnIcon(\n  '${parts.join("' +\n    '")}',\n)\n`
}

function lineOf(Icon: LucideIcon): string {
  const drawn = renderToStaticMarkup(createElement(Icon))
  const shapes = [...drawn.matchAll(/<(path|circle|ellipse|rect|line|polyline|polygon) ([^>]*)>/g)]
  return shapes.map(([, shape = '', text = '']) => pathOf(shape, attributesOf(text))).join('')
}

function attributesOf(text: string): (name: string) => string {
  const all = new Map(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  return (name) => all.get(name) ?? '0'
}

/** An SVG shape as part of a path. Starts at an absolute position, whatever precedes it. */
function pathOf(shape: string, at: (name: string) => string): string {
  const number = (name: string) => Number(at(name))
  if (shape === 'path')
    // The first two numbers after an `m` become an absolute position; the others stay relative.
    return at('d').replace(
      /^m\s*(-?[\d.]+)[\s,]*(-?[\d.]+)(\s*-?[\d.])?/,
      (_all, x, y, more = '') => `M${x} ${y}${more && 'l'}${more.trim()}`,
    )
  if (shape === 'circle') {
    const [x, y, r] = [number('cx'), number('cy'), number('r')]
    return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0`
  }
  if (shape === 'line') return `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`
  if (shape === 'rect') {
    const [r, width, height] = [number('rx'), number('width'), number('height')]
    const arc = `a${r} ${r} 0 0 1 `
    return (
      `M${number('x') + r} ${at('y')}h${width - 2 * r}${arc}${r} ${r}v${height - 2 * r}` +
      `${arc}-${r} ${r}h-${width - 2 * r}${arc}-${r}-${r}v-${height - 2 * r}${arc}${r}-${r}z`
    )
  }
  throw new Error(`no path is known for <${shape}>`)
}
