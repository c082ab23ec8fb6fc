import { printable } from '../../shared/text/printable.ts'
import type { RecordingEnd } from './record-seed.ts'

/** Gaps that the summary lists. The journal has all of them. */
const shownGaps = 10

/** Returns the lines that tell a user what a journal contains. */
export const summaryOf = (
  { entries, shoots, gaps, bytes, isFull }: RecordingEnd,
  path: string,
): readonly string[] => {
  const total = Object.values(entries).reduce((sum, count) => sum + count, 0)
  const file = path === '-' ? 'standard output' : printable(path)
  return [
    ...(isFull ? [`ended, because ${file} has the size of --max-size`] : []),
    `${file}: ${counted(total, 'entry', 'entries')} (${entries.object} changes of objects, ${counted(entries.event, 'event')}, ${counted(entries.step, 'step')}), ${counted(shoots.length, 'shoot')}, ${sizeOf(bytes)}`,
    ...(gaps.length === 0 ? [] : [`${counted(gaps.length, 'gap')}:`]),
    ...gaps.slice(0, shownGaps).map(gap => `  ${printable(gap)}`),
    ...(gaps.length > shownGaps ? [`  … and ${gaps.length - shownGaps} more`] : []),
    ...(path === '-' || total === 0 ? [] : [`replay a step: trellis replay ${file} --list`]),
  ]
}

const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

const sizeOf = (bytes: number): string =>
  bytes < 10_000
    ? `${bytes} B`
    : bytes < 10_000_000
      ? `${Math.round(bytes / 1e3)} kB`
      : `${Math.round(bytes / 1e6)} MB`
