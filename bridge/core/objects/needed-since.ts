import type { Timestamp } from '../../../shared/clock/clock.ts'
import { parseTimestamp } from '../../../shared/clock/clock.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Facts, PieceOfWork } from '../../../shared/lifecycle/lifecycle.ts'
import { cutText } from '../../../shared/text/cut-text.ts'

/**
 * Returns since when an object needs its work, according to the object itself, so that a restarted process knows it
 * too. Returns undefined if the object does not say.
 */
export const neededSince = (
  { metadata }: KubernetesObject,
  { timestamp, deletionTimestamp, lastOperation }: Facts,
  { reason }: Pick<PieceOfWork, 'reason'>,
): Timestamp | undefined => {
  const created = metadata.creationTimestamp
  const lastTried = lastOperation?.lastUpdateTime
  // A request that has not succeeded counts from its own time, however often it was tried.
  const asked = lastOperation?.state === 'Succeeded' ? undefined : timestamp
  switch (reason) {
    case 'annotation':
      return firstOf(timestamp, created)
    case 'deletion':
      return latestOf(deletionTimestamp, timestamp)
    case 'created':
      return firstOf(created)
    case 'resume':
    case 'due':
    case 'changed':
    case 'retry':
    case 'expired':
    case 'touched':
      return earliestOf(asked, lastTried) ?? firstOf(created)
  }
}

const firstOf = (...texts: readonly (string | undefined)[]): Timestamp | undefined => {
  for (const text of texts) {
    const time = parseTimestamp(text)
    if (time !== undefined) return time
  }
  return undefined
}

const timesOf = (texts: readonly (string | undefined)[]): readonly Timestamp[] =>
  texts.map(text => parseTimestamp(text)).filter(time => time !== undefined)

const earliestOf = (...texts: readonly (string | undefined)[]): Timestamp | undefined => {
  const times = timesOf(texts)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** gardenlet rewrites the timestamp when it requests a deletion again. */
const latestOf = (...texts: readonly (string | undefined)[]): Timestamp | undefined => {
  const times = timesOf(texts)
  return times.length === 0 ? undefined : Math.max(...times)
}

/** The number of characters of an error in the dump. */
const longestError = 160

/** Returns the first line of the error that the last step has written. */
export const lastErrorOf = ({ status }: KubernetesObject): string | undefined => {
  const description = textOf(recordOf(recordOf(status).lastError).description)
  if (description === '') return undefined
  const [firstLine = ''] = description.split('\n', 1)
  return cutText(firstLine, longestError)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
