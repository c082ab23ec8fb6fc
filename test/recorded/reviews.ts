import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Recording, readRecording } from '../../shared/webhooks/admission/testing/recording.ts'
import { isBeside, type webhookRecordings } from '../beside/beside.ts'

/**
 * Returns the reviews in one file that the Go extension received: all of them if the recordings are beside the
 * repository, otherwise those in this folder.
 */
export const recordedReviews = (file: (typeof webhookRecordings)[number]): Recording =>
  isBeside('golden') ? readRecording(`webhooks/${file}`) : ownReviews(file)

/** Returns the reviews of a file in this folder: the usual cases. */
export const ownReviews = (file: string): Recording => {
  const path = join(import.meta.dirname, 'webhooks', `${file}.yaml`)
  return existsSync(path)
    ? (parse(readFileSync(path, 'utf8')) as Recording)
    : { cases: [], clusters: {}, secrets: {} }
}

/** Returns some cases of a recording, with the objects that they need. */
export const selectCases = ({ cases, clusters, secrets }: Recording, names: readonly string[]): Recording => {
  const selected = cases.filter(({ name }) => names.includes(name))
  const isNeeded = ([namespace]: readonly [string, unknown]): boolean =>
    selected.some(({ cluster }) => cluster === namespace)
  return {
    cases: selected,
    clusters: Object.fromEntries(Object.entries(clusters).filter(isNeeded)),
    secrets: Object.fromEntries(Object.entries(secrets).filter(isNeeded)),
  }
}
