import type {
  GetBucketAclOutput,
  GetBucketOwnershipControlsOutput,
  GetObjectAclOutput,
  GetObjectAclRequest,
  PutBucketAclRequest,
  PutObjectAclOutput,
  PutObjectAclRequest,
} from '@aws-sdk/client-s3'
import { refuse } from '../../service.ts'
import { type BucketInput, findBucket, type S3Call } from '../buckets/find-bucket.ts'
import { ownerId } from '../lists/list-objects.ts'
import { findVersion } from '../objects/versions/find-version.ts'

/*
 * Every bucket has the Object Ownership setting BucketOwnerEnforced, the default since 2023. ACLs are off, and reading
 * one returns full control for the owner ("Controlling ownership of objects", S3 user guide).
 */

const ownersOwn = (call: S3Call) => {
  const ID = ownerId(call)
  return {
    Owner: { ID },
    Grants: [{ Grantee: { ID, Type: 'CanonicalUser' as const }, Permission: 'FULL_CONTROL' as const }],
  }
}

type WantedAcl = Pick<
  PutObjectAclRequest,
  'ACL' | 'AccessControlPolicy' | 'GrantRead' | 'GrantReadACP' | 'GrantWrite' | 'GrantWriteACP'
>

/** Accepts only an ACL that changes nothing. */
const checkOwners = ({ ACL, AccessControlPolicy, ...grants }: WantedAcl, call: S3Call): void => {
  const granted = AccessControlPolicy?.Grants ?? []
  const foreign =
    granted.some(
      ({ Grantee, Permission }) => Grantee?.ID !== ownerId(call) || Permission !== 'FULL_CONTROL',
    ) || Object.values(grants).some(value => value !== undefined)
  if ((ACL === undefined || ACL === 'bucket-owner-full-control') && !foreign) return
  throw refuse('AccessControlListNotSupported', 'The bucket does not allow ACLs', { status: 400 })
}

const wantedAcl = (input: PutBucketAclRequest | PutObjectAclRequest): WantedAcl => ({
  ACL: input.ACL,
  AccessControlPolicy: input.AccessControlPolicy,
  GrantRead: input.GrantRead,
  GrantReadACP: input.GrantReadACP,
  GrantWrite: input.GrantWrite,
  GrantWriteACP: input.GrantWriteACP,
})

export const getBucketAcl = (input: BucketInput, call: S3Call): GetBucketAclOutput => {
  findBucket(input, call)
  return ownersOwn(call)
}

export const putBucketAcl = (input: PutBucketAclRequest, call: S3Call): object => {
  findBucket(input, call)
  checkOwners(wantedAcl(input), call)
  return {}
}

export const getObjectAcl = (input: GetObjectAclRequest, call: S3Call): GetObjectAclOutput => {
  findVersion(findBucket(input, call), input)
  return ownersOwn(call)
}

export const putObjectAcl = (input: PutObjectAclRequest, call: S3Call): PutObjectAclOutput => {
  findVersion(findBucket(input, call), input)
  checkOwners(wantedAcl(input), call)
  return {}
}

export const getBucketOwnershipControls = (
  input: BucketInput,
  call: S3Call,
): GetBucketOwnershipControlsOutput => {
  findBucket(input, call)
  return { OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] } }
}
