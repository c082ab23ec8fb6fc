export type BucketPolicyStatement = Readonly<Record<string, unknown>>

/**
 * Denies requests without TLS, and those below TLS 1.2. These are two statements, because the conditions of one are
 * ANDed.
 */
export const tlsStatements = (bucket: string, region: string): readonly BucketPolicyStatement[] => {
  const deny = (Sid: string, Condition: object): BucketPolicyStatement => ({
    Sid,
    Effect: 'Deny',
    Principal: '*',
    Action: 's3:*',
    Resource: resourcesOf(bucket, region),
    Condition,
  })
  return [
    deny('DenyWithoutTls', { Bool: { 'aws:SecureTransport': 'false' } }),
    deny('DenyBelowTls12', { NumericLessThan: { 's3:TlsVersion': '1.2' } }),
  ]
}

/**
 * The single statement of the Go extension. Its two conditions are never true together, because a request without TLS
 * has no TLS version (docs/contract/provider-aws-defects.md#policy-of-a-bucket).
 */
export const peerStatement = (bucket: string, region: string): BucketPolicyStatement => ({
  Effect: 'Deny',
  Principal: '*',
  Action: 's3:*',
  Resource: resourcesOf(bucket, region),
  Condition: { Bool: { 'aws:SecureTransport': 'false' }, NumericLessThan: { 's3:TlsVersion': '1.2' } },
})

/**
 * Returns the policy with the statements added, or undefined if it has them already. Removes the statement of the Go
 * extension; all others belong to users and are not changed.
 *
 * @param present the text of the present policy; undefined: none. S3 accepts only JSON objects.
 */
export const policyWith = (
  present: string | undefined,
  wanted: readonly BucketPolicyStatement[],
  outdated: BucketPolicyStatement,
): string | undefined => {
  const policy: Readonly<Record<string, unknown>> = present === undefined ? {} : JSON.parse(present)
  const statements = listOf(policy.Statement) as readonly BucketPolicyStatement[]
  const kept = statements.filter(statement => !isSame(statement, outdated))
  const missing = wanted.filter(statement => !kept.some(each => isSame(each, statement)))
  if (missing.length === 0 && kept.length === statements.length) return undefined
  return JSON.stringify({
    Version: '2012-10-17',
    ...policy,
    Statement: [...kept, ...withFreeSids(missing, kept)],
  })
}

/** Sids are unique within a policy. */
const withFreeSids = (
  statements: readonly BucketPolicyStatement[],
  kept: readonly BucketPolicyStatement[],
): readonly BucketPolicyStatement[] =>
  statements.map(({ Sid, ...statement }) =>
    kept.some(other => other.Sid === Sid) ? statement : { Sid, ...statement },
  )

/** Returns true if two statements are equivalent. Ignores the Sid and the order of lists. */
const isSame = ({ Sid: _, ...a }: BucketPolicyStatement, { Sid: __, ...b }: BucketPolicyStatement): boolean =>
  JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))

/** S3 returns a list of one item as that item, and a principal for everyone in two forms. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value))
    return value.length === 1 ? canonical(value[0]) : value.map(canonical).map(String).sort()
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).map(([key, inner]) => [key, canonical(inner)] as const)
  const [only] = entries
  if (entries.length === 1 && only?.[0] === 'AWS' && only[1] === '*') return '*'
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

const resourcesOf = (bucket: string, region: string): readonly string[] => {
  const arn = `arn:${partitionOf(region)}:s3:::${bucket}`
  return [arn, `${arn}/*`]
}

const partitions: readonly (readonly [string, string])[] = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['eusc-', 'aws-eusc'],
]

const partitionOf = (region: string): string =>
  partitions.find(([start]) => region.startsWith(start))?.[1] ?? 'aws'
