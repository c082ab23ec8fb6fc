import * as s3 from '@aws-sdk/client-s3'
import { allPages } from '../../../../../terraform-free-infra/aws/account/client/all-pages.ts'

/**
 * Returns true if the account of the credentials owns a bucket of that name. Needs the permission
 * `s3:ListAllMyBuckets`, which nothing else needs. S3 returns the same error for another account's bucket and for one
 * that the credentials may not read; only this list distinguishes them.
 */
export const isListed = async (
  client: s3.S3Client,
  name: string,
  abortSignal: AbortSignal,
): Promise<boolean> => {
  const buckets = await allPages(
    ({ Name }: s3.Bucket) => Name,
    async ContinuationToken => {
      const command = new s3.ListBucketsCommand({
        Prefix: name,
        ...(ContinuationToken !== undefined && { ContinuationToken }),
      })
      const page = await client.send(command, { abortSignal })
      return { items: page.Buckets, next: page.ContinuationToken }
    },
  )
  return buckets.some(({ Name }) => Name === name)
}
