import type { LifecycleRule } from '@aws-sdk/client-s3'
import type { Lifecycle } from './bucket.ts'

/** A rule that a bucket must have, and how it is told from others. */
export interface WantedRule {
  readonly rule: LifecycleRule
  /** Whether a rule that is there does the same: names and further actions do not matter. */
  readonly isMet: (present: LifecycleRule) => boolean
}

/** Parts of an upload that was never finished are paid for until somebody aborts it. */
const abortDays = 7

export const abortUploads: WantedRule = {
  rule: {
    Filter: { Prefix: '' },
    Status: 'Enabled',
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: abortDays },
  },
  isMet: rule =>
    isForAll(rule) &&
    (rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation ?? Number.POSITIVE_INFINITY) <= abortDays,
}

/** The tag on what an entry could not delete: S3 does it when the lock has ended. */
export const leftoverTag = { key: 'gc-marked-for-deletion', value: 'true' } as const

const expireTagged: WantedRule = {
  rule: {
    ID: 'GC-forTaggedObjects',
    Filter: { Tag: { Key: leftoverTag.key, Value: leftoverTag.value } },
    Status: 'Enabled',
    Expiration: { Days: 1 },
    NoncurrentVersionExpiration: { NoncurrentDays: 1 },
  },
  isMet: ({ Filter, Expiration, NoncurrentVersionExpiration }) =>
    Filter?.Tag?.Key === leftoverTag.key &&
    Filter.Tag.Value === leftoverTag.value &&
    Expiration?.Days === 1 &&
    NoncurrentVersionExpiration?.NoncurrentDays === 1,
}

const expireMarkers: WantedRule = {
  rule: {
    ID: 'GC-delete-markers-objects',
    Filter: { Prefix: '' },
    Status: 'Enabled',
    Expiration: { ExpiredObjectDeleteMarker: true },
  },
  isMet: rule => isForAll(rule) && rule.Expiration?.ExpiredObjectDeleteMarker === true,
}

/** The three rules by which S3 deletes tagged leftovers (the names are the Go extension's). */
export const leftoverRules: readonly WantedRule[] = [expireTagged, expireMarkers, abortUploads]

export const hasRule = ({ rules }: Lifecycle, { isMet }: WantedRule): boolean =>
  rules.some(rule => rule.Status === 'Enabled' && isMet(rule))

/** The lifecycle with the rules in it, and undefined where they are there already. Every other rule stays. */
export const lifecycleWith = (present: Lifecycle, wanted: readonly WantedRule[]): Lifecycle | undefined => {
  const missing = wanted.filter(each => !hasRule(present, each)).map(({ rule }) => rule)
  if (missing.length === 0) return undefined
  const ids = new Set(missing.map(({ ID }) => ID))
  // A rule of the same name does something else, or is switched off: a name is taken once, and ours can do without.
  const taken = new Set(present.rules.map(({ ID }) => ID).filter(id => ids.has(id)))
  return {
    ...present,
    rules: [
      ...present.rules.map(withFilter),
      ...missing.map(({ ID, ...rule }) => (ID === undefined || taken.has(ID) ? rule : { ID, ...rule })),
    ],
  }
}

/** S3 takes no filter beside a rule of the old form, whose prefix stands outside of one. */
const withFilter = ({ Prefix, ...rule }: LifecycleRule): LifecycleRule =>
  rule.Filter === undefined ? { ...rule, Filter: { Prefix: Prefix ?? '' } } : rule

const isForAll = ({ Filter, Prefix }: LifecycleRule): boolean => {
  if (Filter === undefined) return (Prefix ?? '') === ''
  return Object.entries(Filter).every(
    ([name, value]) => value === undefined || (name === 'Prefix' && value === ''),
  )
}
