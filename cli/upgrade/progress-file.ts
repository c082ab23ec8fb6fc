import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { isRecord } from '../../shared/decode/record-of.ts'
import type { ComparedObject } from './group-differences.ts'

/** The finished shoots of a comparison, in a file of JSON lines: a head, then one line for each shoot. */
export interface ProgressFile {
  /** The objects of earlier runs. */
  readonly objects: readonly ComparedObject[]
  /** The last finished place of the survey. Undefined: none. */
  readonly after: string | undefined
  readonly add: (place: string, objects: readonly ComparedObject[]) => void
}

/** Without a file: retains nothing for a later run. */
export const noProgress: ProgressFile = { objects: [], after: undefined, add: () => {} }

/**
 * Opens the file of `--resume`, or creates it. Throws a `UsageError` if it belongs to another comparison.
 *
 * @param head identifies the comparison: its versions, its cluster, and its shoots
 */
export const openProgress = (file: string, head: object): ProgressFile => {
  const first = JSON.stringify(head)
  const present = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (present === '') writeFileSync(file, `${first}\n`)
  // An interrupted run may have written a part of its last line.
  const whole = present.slice(0, present.lastIndexOf('\n') + 1)
  const [known, ...lines] = whole.split('\n').filter(Boolean)
  if (present !== '' && known !== first)
    throw new UsageError(
      `--resume ${file}: it has ${known === undefined || !isRecord(parsed(known)) ? 'no comparison of two versions' : 'the result of another comparison'}. Choose a new file`,
    )
  if (whole !== present) writeFileSync(file, whole)
  const shoots = lines.map(line => parsed(line) as { place: string; objects: readonly ComparedObject[] })
  return {
    objects: shoots.flatMap(({ objects }) => objects),
    after: shoots.at(-1)?.place,
    add: (place, objects) => appendFileSync(file, `${JSON.stringify({ place, objects })}\n`),
  }
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
