import * as s3 from '@aws-sdk/client-s3'

/** More buckets of one account do not begin with the same name, in practice. */
const mostBuckets = 1_000

/**
 * Whether the account of the credentials owns a bucket of that name; undefined: it cannot be told. S3 refuses a bucket of
 * somebody else in the same words as one that the credentials may not read, and only the list of the account's own
 * ones tells which. The permission for it, `s3:ListAllMyBuckets`, is not needed for anything else.
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
    // The call before has failed already, and that is what has to be said.
    return undefined
  }
}
