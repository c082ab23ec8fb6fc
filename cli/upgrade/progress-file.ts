import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { isRecord } from '../../shared/decode/record-of.ts'
import type { ComparedObject } from './group-differences.ts'

/** The finished shoots of a comparison, in a file of JSON lines: a head, then one line for each shoot. */
export interface ProgressFile {
  /** The objects of `done`. */
  readonly objects: readonly ComparedObject[]
  /** The places of the survey that earlier runs have finished, without those with an unknown object. */
  readonly done: ReadonlySet<string>
  readonly add: (place: string, objects: readonly ComparedObject[]) => void
}

/** Without a file: retains nothing for a later run. */
export const noProgress: ProgressFile = { objects: [], done: new Set(), add: () => {} }

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
  const [begin, ...lines] = whole.split('\n').filter(Boolean)
  if (present !== '' && begin !== first)
    throw new UsageError(
      `--resume ${file}: it has ${begin === undefined || !isRecord(parsed(begin)) ? 'no comparison of two versions' : 'the result of another comparison'}. Choose a new file`,
    )
  if (whole !== present) writeFileSync(file, whole)
  const shoots = lines.map(line => parsed(line) as { place: string; objects: readonly ComparedObject[] })
  const last = [...new Map(shoots.map(shoot => [shoot.place, shoot])).values()]
  const known = last.filter(({ objects }) => objects.every(({ unknown }) => unknown === undefined))
  return {
    objects: known.flatMap(({ objects }) => objects),
    done: new Set(known.map(({ place }) => place)),
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
