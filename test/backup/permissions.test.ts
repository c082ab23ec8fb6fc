import * as s3 from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { day, newAccount } from '../../functions/aws/backupbucket/testing/account.ts'
import {
  bucketName as Bucket,
  configOf,
  secretAccessKey,
  stepsOver,
} from '../../functions/aws/backupbucket/testing/steps.ts'
import { entryName, seedWith } from '../../functions/aws/backupentry/testing/steps.ts'
import { s3Permissions } from '../../sandbox/providers/aws/s3-permissions.ts'

const accessKeyID = 'AKIALEAST'
const immutability = { retentionType: 'bucket', retentionPeriod: '24h', mode: 'governance' }

/** Performs all actions of both functions, with a key that has these permissions. Returns the refusals. */
const refusals = async (allow: readonly string[]): Promise<readonly string[]> => {
  const { aws, clock, operator, put, exists } = newAccount()
  aws.account().register({ accessKeyId: accessKeyID, secretAccessKey, allow })
  const failures: string[] = []
  const attempt = async (work: () => Promise<unknown>) => {
    await work().catch(({ message }: Error) => failures.push(message))
  }
  const { step, change } = stepsOver(aws.requestHandler, clock)
  const reconcile = () => attempt(() => step('reconcile', { accessKeyID }))
  await reconcile()
  await operator(client => client.send(new s3.DeleteBucketLifecycleCommand({ Bucket }))).catch(() => {})
  await reconcile()
  change({ providerConfig: configOf(immutability) })
  await reconcile()
  // Without permission to create or lock the bucket, the test ends here.
  if (failures.length > 0) return failures

  const entry = await seedWith(aws.requestHandler, clock, {
    bucketName: Bucket,
    secret: { accessKeyID, secretAccessKey },
  })
  await entry.step()
  await put(1, `${entryName}/`, { ObjectLockLegalHoldStatus: 'ON' })
  await entry.remove()
  for (let steps = 0; steps < 3 && (await entry.entry()) !== undefined; steps++) {
    await entry.step()
    const { lastError } = (await entry.entry())?.status ?? {}
    if (lastError) return [lastError.description]
  }
  await attempt(() => step('remove', { accessKeyID }))
  // The retention has then ended, and only the hold protects it.
  await clock.advance(2 * day)
  await attempt(() => step('remove', { accessKeyID }))
  await operator(liftHolds)
  await attempt(() => step('remove', { accessKeyID }))
  if (failures.length === 0) expect(await exists()).toBe(false)
  return failures
}

/** S3 may have hidden the object behind a delete marker by then. */
const liftHolds = async (client: s3.S3Client): Promise<void> => {
  const { Versions = [] } = await client.send(new s3.ListObjectVersionsCommand({ Bucket }))
  for (const { Key, VersionId } of Versions) {
    const version = { Bucket, Key, VersionId, LegalHold: { Status: 'OFF' } } as const
    await client.send(new s3.PutObjectLegalHoldCommand(version))
  }
}

test('the documented permissions suffice for all actions of the functions', async () => {
  expect(await refusals(s3Permissions())).toEqual([])
})

/** According to its documentation, S3 requires them in addition to those for versions. The simulator does not. */
const besideVersions = ['s3:DeleteObject', 's3:PutObjectTagging']
const needed = s3Permissions().filter(action => !besideVersions.includes(action))

test.each(needed)('without %s an action is refused, and the error names it', async action => {
  const failures = await refusals(s3Permissions().filter(other => other !== action))
  expect(failures[0]).toContain(action)
})
