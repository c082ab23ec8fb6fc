import { readFileSync } from 'node:fs'

const source = new URL('../../../functions/aws/backupbucket/s3/bucket/sdk-bucket.ts', import.meta.url)

/**
 * The permissions of the operations that are called otherwise, or that need several ("Required permissions for Amazon S3
 * API operations", S3 user guide; "CreateBucket" and "DeleteObjects", S3 API reference). Versions of objects have
 * permissions of their own.
 */
const permissionsOf: Readonly<Record<string, readonly string[]>> = {
  // The latter two where object lock is on from the start.
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

/** What the credentials for backups have to allow, as the code calls S3: `s3:GetBucketPolicy`. */
export const s3Permissions = (): readonly string[] => {
  const calls = readFileSync(source, 'utf8').matchAll(/\bnew s3\.(\w+)Command\(/g)
  const actions = [...calls].flatMap(([, operation = '']) => permissionsOf[operation] ?? [operation])
  return [...new Set(actions)].toSorted().map(action => `s3:${action}`)
}

const rows: readonly (readonly [string, RegExp])[] = [
  ['reads', /^s3:(?:Get|List)Bucket|^s3:Get(?:Encryption|Lifecycle)/],
  ['writes', /^s3:(?:Create|Delete|Put)Bucket|^s3:Put(?:Encryption|Lifecycle)/],
  ['reads of objects', /^s3:GetObject/],
  ['writes of objects', /^s3:(?:Delete|Put)Object/],
]

/** The same as the table of the page. Throws for one that has no row. */
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
