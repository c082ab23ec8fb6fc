import { refuse } from '../../service.ts'

/**
 * Checks the name of a general purpose bucket ("Bucket naming rules", S3 user guide).
 *
 * @throws AwsError InvalidBucketName
 */
export const checkBucketName = (name: string): void => {
  const valid =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
    !name.includes('..') &&
    !/^\d+\.\d+\.\d+\.\d+$/.test(name) &&
    !/^(?:xn--|sthree-|amzn-s3-demo-)/.test(name) &&
    !/(?:-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/.test(name)
  if (!valid) {
    throw refuse('InvalidBucketName', 'The specified bucket is not valid.', {
      status: 400,
      members: { BucketName: name },
    })
  }
}
