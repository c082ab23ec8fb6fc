import type { PermissionQuestion, ResourceWord } from '../../service.ts'
import type { S3Transport } from '../buckets/settings.ts'
import type { Bucket, S3State } from '../state.ts'
import { partitionOf } from './address.ts'
import { isPublicPolicy } from './bucket-policy.ts'
import type { Context } from './policy-conditions.ts'
import { decidePolicy } from './policy-decision.ts'

type CheckedInput = Readonly<Record<string, unknown>>

/** Returns the name of a user without its path; undefined for other principals. */
const userNameOf = (arn: string): string | undefined =>
  arn.includes(':user/') ? arn.slice(arn.lastIndexOf('/') + 1) || undefined : undefined

const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns the bucket and the key of an action. A copy reads its source. */
const targetOf = (action: string, { Bucket, Key, CopySource }: CheckedInput) => {
  const source = /^s3:GetObject(?:Version)?$/.test(action) ? stringOf(CopySource) : undefined
  if (source === undefined) return { name: stringOf(Bucket), key: stringOf(Key) }
  const [name, ...key] = source
    .replace(/\?versionId=.*/s, '')
    .replace(/^\//, '')
    .split('/')
  return { name: name ?? '', key: decodedKey(key.join('/')) }
}

/** The operation refuses an undecodable key later. */
const decodedKey = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The condition keys of a request ("Condition keys for Amazon S3", service authorization reference). */
const contextOf = (
  input: CheckedInput,
  question: PermissionQuestion<S3State>,
  transport: S3Transport,
): Context => {
  const { principal, request, now } = question
  const keys: Readonly<Record<string, unknown>> = {
    'aws:securetransport': String(transport.secure),
    's3:tlsversion': transport.secure ? transport.tlsVersion : undefined,
    'aws:principalarn': principal.arn,
    'aws:principalaccount': principal.accountId,
    'aws:userid': principal.userId,
    'aws:username': userNameOf(principal.arn),
    'aws:sourceip': '127.0.0.1',
    'aws:useragent': request.headers['user-agent'],
    'aws:currenttime': new Date(now).toISOString(),
    'aws:epochtime': String(Math.floor(now / 1000)),
    's3:prefix': input.Prefix,
    's3:delimiter': input.Delimiter,
    's3:max-keys': input.MaxKeys,
    's3:versionid': input.VersionId,
    's3:x-amz-acl': input.ACL,
    's3:x-amz-server-side-encryption': input.ServerSideEncryption,
    's3:object-lock-mode': input.ObjectLockMode,
    's3:locationconstraint': undefined,
  }
  return new Map(
    Object.entries(keys).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  )
}

const owned = (name: string | undefined, states: ReadonlyMap<string, S3State>) => {
  for (const [owner, { buckets }] of states) {
    const bucket = buckets.find(candidate => candidate.name === name)
    if (bucket !== undefined) return { bucket, owner }
  }
  return undefined
}

/** Restricted public policies apply only to the owner's account. */
const isRestricted = ({ publicAccess, policy }: Bucket): boolean =>
  publicAccess?.RestrictPublicBuckets === true && policy !== undefined && isPublicPolicy(policy)

/** Returns the decision of a bucket's policy on an action, for the caller of the call. */
export const bucketPolicyWord =
  (transport: S3Transport) =>
  (action: string, input: CheckedInput, question: PermissionQuestion<S3State>): ResourceWord => {
    const { name, key } = targetOf(action, input)
    const found = owned(name, question.everywhere())
    if (found === undefined) return undefined
    const { bucket, owner } = found
    const { principal } = question
    if (bucket.policy === undefined) return undefined
    const arn = `arn:${partitionOf(bucket.region)}:s3:::${bucket.name}`
    const decision = decidePolicy(bucket.policy, {
      principal,
      action,
      resource: key === undefined ? arn : `${arn}/${key}`,
      context: contextOf(input, question, transport),
    })
    if (decision === 'deny' || decision === undefined) return decision
    // Another account needs the permission of both the bucket policy and its own policies.
    if (owner !== principal.accountId) return isRestricted(bucket) ? undefined : 'share'
    return decision === 'allow' ? 'allow' : undefined
  }
