import { type Recording, readRecording } from '../../shared/webhooks/admission/testing/recording.ts'
import type { webhookRecordings } from '../beside/beside.ts'
import { usualReviewCases } from './cases.ts'

/** Returns all reviews in one file that the Go extension received. */
export const recordedReviews = (file: (typeof webhookRecordings)[number]): Recording =>
  readRecording(`webhooks/${file}`)

/** Returns the usual reviews of a file. */
export const usualReviews = (file: keyof typeof usualReviewCases): Recording =>
  selectCases(recordedReviews(file), usualReviewCases[file] ?? [])

/** Returns some cases of a recording, with the objects that they need. */
const selectCases = ({ cases, clusters, secrets }: Recording, names: readonly string[]): Recording => {
  const selected = cases.filter(({ name }) => names.includes(name))
  const isNeeded = ([namespace]: readonly [string, unknown]): boolean =>
    selected.some(({ cluster }) => cluster === namespace)
  return {
    cases: selected,
    clusters: Object.fromEntries(Object.entries(clusters).filter(isNeeded)),
    secrets: Object.fromEntries(Object.entries(secrets).filter(isNeeded)),
  }
}
