import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../../functions/aws/backupbucket/s3/bucket/', import.meta.url)

/**
 * The permissions of operations with another name or several permissions ("Required permissions for Amazon S3 API
 * operations", S3 user guide; "CreateBucket" and "DeleteObjects", S3 API reference). Object versions have separate
 * permissions.
 */
const permissionsOf: Readonly<Record<string, readonly string[]>> = {
  // The latter two apply if object lock is enabled at creation.
  CreateBucket: ['CreateBucket', 'PutBucketVersioning', 'PutBucketObjectLockConfiguration'],
  DeleteObjects: ['DeleteObject', 'DeleteObjectVersion'],
  GetBucketEncryption: ['GetEncryptionConfiguration'],
  GetBucketLifecycleConfiguration: ['GetLifecycleConfiguration'],
  GetObjectLockConfiguration: ['GetBucketObjectLockConfiguration'],
  GetPublicAccessBlock: ['GetBucketPublicAccessBlock'],
  ListObjectVersions: ['ListBucketVersions'],
  PutBucketEncryption: ['PutEncryptionConfiguration'],
  PutBucketLifecycleConfiguration: ['PutLifecycleConfiguration'],
  PutObjectLockConfiguration: ['PutBucketObjectLockConfiguration'],
  PutObjectTagging: ['PutObjectTagging', 'PutObjectVersionTagging'],
  PutPublicAccessBlock: ['PutBucketPublicAccessBlock'],
}

/**
 * Returns the permissions that backup credentials need, derived from the S3 calls in the code: `s3:GetBucketPolicy`.
 */
export const s3Permissions = (): readonly string[] => {
  const sources = readdirSync(folder).filter(name => /^(?:bucket|sdk)-[a-z-]+\.ts$/.test(name))
  const calls = sources.flatMap(name => [
    ...readFileSync(new URL(name, folder), 'utf8').matchAll(/\bnew s3\.(\w+)Command\(/g),
  ])
  const actions = calls.flatMap(([, operation = '']) => permissionsOf[operation] ?? [operation])
  return [...new Set(actions)].toSorted().map(action => `s3:${action}`)
}

const rows: readonly (readonly [string, RegExp])[] = [
  ['reads', /^s3:(?:Get|List)Bucket|^s3:Get(?:Encryption|Lifecycle)/],
  ['writes', /^s3:(?:Create|Delete|Put)Bucket|^s3:Put(?:Encryption|Lifecycle)/],
  ['reads of objects', /^s3:GetObject/],
  ['writes of objects', /^s3:(?:Delete|Put)Object/],
]

/** The permissions as the table of the page. Throws if one has no row. */
export const s3PermissionsTable = (): string => {
  const actions = s3Permissions()
  const left = actions.filter(action => !rows.some(([, pattern]) => pattern.test(action)))
  if (left.length > 0) throw new Error(`no row for ${left.join(', ')}`)
  const cell = (pattern: RegExp) => actions.filter(action => pattern.test(action)).join(', ')
  return [
    '| what | permissions |',
    '|---|---|',
    ...rows.map(([what, pattern]) => `| ${what} | ${cell(pattern)} |`),
  ].join('\n')
}
