import type { LifecycleRule } from '@aws-sdk/client-s3'
import type { Timestamp } from '../../../../../../shared/clock/clock.ts'
import { isLocked } from '../objects/locks/lock.ts'
import { hideObject, removeVersion } from '../objects/versions/versions.ts'
import type { Bucket, S3Tag, StoredObject, Version } from '../state.ts'

const day = 86_400_000

/**
 * Returns the time of an action that is due `days` after a time, rounded up to the next midnight UTC ("Lifecycle rules:
 * based on an object's age", S3 user guide).
 */
const dueAt = (time: Timestamp, days: number): Timestamp => (Math.floor(time / day) + 1 + days) * day

/** Parses a bucket's rules from JSON, including their dates. */
export const rulesOf = (text: string): LifecycleRule[] =>
  JSON.parse(text, (name, value) => (name === 'Date' ? new Date(value) : value))

interface Subject {
  readonly key: string
  readonly size: number
  readonly tags: readonly S3Tag[]
}

const subjectOf = (key: string, version: Version): Subject =>
  version.deleteMarker ? { key, size: 0, tags: [] } : { key, size: version.size, tags: version.tags }

/** Returns true if a rule's filter matches an object version. */
const covers = ({ Filter, Prefix }: LifecycleRule, { key, size, tags }: Subject): boolean => {
  const wanted = { ...Filter, ...Filter?.And }
  const needed = [...(Filter?.Tag ? [Filter.Tag] : []), ...(Filter?.And?.Tags ?? [])]
  return (
    key.startsWith(wanted.Prefix ?? Prefix ?? '') &&
    (wanted.ObjectSizeGreaterThan === undefined || size > wanted.ObjectSizeGreaterThan) &&
    (wanted.ObjectSizeLessThan === undefined || size < wanted.ObjectSizeLessThan) &&
    needed.every(tag => tags.some(({ Key, Value }) => Key === tag.Key && Value === tag.Value))
  )
}

interface Sweep {
  readonly bucket: Bucket
  readonly rules: readonly LifecycleRule[]
  readonly now: Timestamp
  readonly newId: () => string
}

const expireCurrent = ({ bucket, rules, now, newId }: Sweep, { key, versions }: StoredObject): void => {
  const [current] = versions
  if (!current) return
  const due = rules.some(rule => {
    const { Days, Date: date, ExpiredObjectDeleteMarker } = rule.Expiration ?? {}
    if (!covers(rule, subjectOf(key, current))) return false
    if (current.deleteMarker)
      return (ExpiredObjectDeleteMarker || Days !== undefined) && versions.length === 1
    if (Days !== undefined) return dueAt(current.modified, Days) <= now
    return date !== undefined && date.getTime() <= now
  })
  if (!due) return
  if (current.deleteMarker) removeVersion(bucket, key, current.id)
  else hideObject(bucket, key, now, newId)
}

/** A version is noncurrent from the time its successor was created. */
const expireNoncurrent = ({ bucket, rules, now }: Sweep, { key, versions }: StoredObject): void => {
  for (const [index, version] of versions.entries()) {
    const successor = versions[index - 1]
    if (!successor || isLocked(version, now, false)) continue
    const due = rules.some(rule => {
      const { NoncurrentDays, NewerNoncurrentVersions = 0 } = rule.NoncurrentVersionExpiration ?? {}
      return (
        NoncurrentDays !== undefined &&
        covers(rule, subjectOf(key, version)) &&
        index > NewerNoncurrentVersions &&
        dueAt(successor.modified, NoncurrentDays) <= now
      )
    })
    if (due) removeVersion(bucket, key, version.id)
  }
}

/**
 * Applies the lifecycle actions of a bucket that are due. They are due at midnight, so nothing remains for the rest of
 * the day unless the rules change. S3 itself may take some hours longer.
 */
export const sweep = (bucket: Bucket, now: Timestamp, newId: () => string): void => {
  const today = Math.floor(now / day)
  if (!bucket.lifecycle || bucket.sweptDay === today) return
  bucket.sweptDay = today
  const rules = rulesOf(bucket.lifecycle).filter(rule => rule.Status === 'Enabled')
  const work: Sweep = { bucket, rules, now, newId }
  for (const object of [...bucket.objects]) expireNoncurrent(work, object)
  for (const object of [...bucket.objects]) expireCurrent(work, object)
}
