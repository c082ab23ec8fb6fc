import * as s3 from '@aws-sdk/client-s3'

/** Maximum buckets read. In practice one account has fewer with the same prefix. */
const mostBuckets = 1_000

/**
 * Returns true if the account of the credentials owns a bucket of that name, or undefined if unknown. S3 returns the
 * same error for another account's bucket and for one that the credentials may not read; only the list of the account's
 * own buckets distinguishes them. Nothing else needs the permission `s3:ListAllMyBuckets`.
 */
export const isListed = async (
  client: s3.S3Client,
  name: string,
  abortSignal: AbortSignal,
): Promise<boolean | undefined> => {
  try {
    const command = new s3.ListBucketsCommand({ Prefix: name, MaxBuckets: mostBuckets })
    const { Buckets = [], ContinuationToken } = await client.send(command, { abortSignal })
    if (Buckets.some(({ Name }) => Name === name)) return true
    return ContinuationToken === undefined ? false : undefined
  } catch {
    // The previous call has already failed, and its error is reported.
    return undefined
  }
}
