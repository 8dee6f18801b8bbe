import { drawnIcon } from './drawn-icon.ts'

// Lines of lucide.dev under the ISC license, written by `npm run icons`.
export const ArrowLeft = drawnIcon('M12 19l-7-7 7-7M19 12H5')
export const ArrowUp = drawnIcon('M5 12l7-7 7 7M12 19V5')
export const ChartLine = drawnIcon('M3 3v16a2 2 0 0 0 2 2h16M19 9l-5 5-4-4-3 3')
export const Check = drawnIcon('M20 6 9 17l-5-5')
export const CirclePlus = drawnIcon('M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M8 12h8M12 8v8')
export const Copy = drawnIcon(
  'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2-2v-10a2 2 0 0 1 2-2zM4 16c-1.1 0' +
    '-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2',
)
export const CreditCard = drawnIcon(
  'M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2-2v-10a2 2 0 0 1 2-2zM2 10L22 10M6' +
    ' 14h2',
)
export const Download = drawnIcon('M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5')
export const Ellipsis = drawnIcon(
  'M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M4 12a1 1 0 1 0 2 0a1 ' +
    '1 0 1 0-2 0',
)
export const FileText = drawnIcon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20' +
    ' 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5M10 9H8M16 13H8M16 17H8',
)
export const Pause = drawnIcon(
  'M15 3h3a1 1 0 0 1 1 1v16a1 1 0 0 1 -1 1h-3a1 1 0 0 1 -1-1v-16a1 1 0 0 1 1-1zM6 3h3a1 1 0 0' +
    ' 1 1 1v16a1 1 0 0 1 -1 1h-3a1 1 0 0 1 -1-1v-16a1 1 0 0 1 1-1z',
)
export const Pencil = drawnIcon(
  'M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .' +
    '623.622l4.353-1.32a2 2 0 0 0 .83-.497zM15 5l4 4',
)
export const Play = drawnIcon(
  'M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z',
)
export const Search = drawnIcon('M21 21l-4.34-4.34M3 11a8 8 0 1 0 16 0a8 8 0 1 0-16 0')
export const SlidersHorizontal = drawnIcon(
  'M10 5H3M12 19H3M14 3v4M16 17v4M21 12h-9M21 19h-5M21 5h-7M8 10v4M8 12H3',
)
export const Trash2 = drawnIcon(
  'M10 11v6M14 11v6M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M3 6h18M8 6V4a2 2 0 0 1 2-2h4a2 2 ' +
    '0 0 1 2 2v2',
)
export const Wallet = drawnIcon(
  'M19 7V4a1 1 0 0 0-1-1H5a2 2 0 0 0 0 4h15a1 1 0 0 1 1 1v4h-3a2 2 0 0 0 0 4h3a1 1 0 0 0 1-1v' +
    '-2a1 1 0 0 0-1-1M3 5v14a2 2 0 0 0 2 2h15a1 1 0 0 0 1-1v-4',
)
export const X = drawnIcon('M18 6 6 18M6 6l12 12')
