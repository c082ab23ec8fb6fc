import type { Timestamp } from '../../shared/clock/clock.ts'
import { parseTimestamp } from '../../shared/clock/clock.ts'
import { cutText } from '../../shared/contract/cut-text.ts'
import { recordOf } from '../../shared/contract/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { Facts, PieceOfWork } from '../../shared/lifecycle/lifecycle.ts'

/**
 * Since when an object needs its work, as the object itself tells, so that a process that has just started knows it
 * too; undefined: it does not tell.
 */
export const neededSince = (
  { metadata }: KubernetesObject,
  { timestamp, deletionTimestamp, lastOperation }: Facts,
  { reason }: Pick<PieceOfWork, 'reason'>,
): Timestamp | undefined => {
  const created = metadata.creationTimestamp
  const lastTried = lastOperation?.lastUpdateTime
  // What was asked for and has not succeeded is needed since it was asked for, however often it was tried.
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

/** gardenlet writes the timestamp again when it asks for a deletion again. */
const latestOf = (...texts: readonly (string | undefined)[]): Timestamp | undefined => {
  const times = timesOf(texts)
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Characters of an error that are kept for the dump. */
const longestError = 160

/** The first line of what the last step wrote down as its error. */
export const lastErrorOf = ({ status }: KubernetesObject): string | undefined => {
  const description = textOf(recordOf(recordOf(status).lastError).description)
  if (description === '') return undefined
  const [firstLine = ''] = description.split('\n', 1)
  return cutText(firstLine, longestError)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
