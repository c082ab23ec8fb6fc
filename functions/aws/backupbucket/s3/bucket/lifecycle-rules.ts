import type { LifecycleRule } from '@aws-sdk/client-s3'
import type { Lifecycle } from './bucket.ts'

/** A required rule of a bucket, and a test that finds an equivalent one. */
export interface WantedRule {
  readonly rule: LifecycleRule
  /** Returns true if an existing rule has the same effect. Ignores names and further actions. */
  readonly isMet: (present: LifecycleRule) => boolean
}

/** Parts of an unfinished upload cost money until it is aborted. */
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

/** The tag of objects that an entry could not delete. S3 deletes them when their lock ends. */
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

/** The three rules by which S3 deletes tagged leftovers. Their names are those of the Go extension. */
export const leftoverRules: readonly WantedRule[] = [expireTagged, expireMarkers, abortUploads]

export const hasRule = ({ rules }: Lifecycle, { isMet }: WantedRule): boolean =>
  rules.some(rule => rule.Status === 'Enabled' && isMet(rule))

/** Returns the lifecycle with the rules added, or undefined if it has them already. All other rules are retained. */
export const lifecycleWith = (present: Lifecycle, wanted: readonly WantedRule[]): Lifecycle | undefined => {
  const missing = wanted.filter(each => !hasRule(present, each)).map(({ rule }) => rule)
  if (missing.length === 0) return undefined
  const ids = new Set(missing.map(({ ID }) => ID))
  // A rule of the same name has another effect or is disabled. Names must be unique, so ours is added without a name.
  const taken = new Set(present.rules.map(({ ID }) => ID).filter(id => ids.has(id)))
  return {
    ...present,
    rules: [
      ...present.rules.map(withFilter),
      ...missing.map(({ ID, ...rule }) => (ID === undefined || taken.has(ID) ? rule : { ID, ...rule })),
    ],
  }
}

/** S3 accepts no filter beside a rule of the old form, which has its prefix outside of a filter. */
const withFilter = ({ Prefix, ...rule }: LifecycleRule): LifecycleRule =>
  rule.Filter === undefined ? { ...rule, Filter: { Prefix: Prefix ?? '' } } : rule

const isForAll = ({ Filter, Prefix }: LifecycleRule): boolean => {
  if (Filter === undefined) return (Prefix ?? '') === ''
  return Object.entries(Filter).every(
    ([name, value]) => value === undefined || (name === 'Prefix' && value === ''),
  )
}
