import { describe, expect, test } from 'vitest'
import { classify } from '../../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../../shared/contract/constants.ts'
import { awsClassifiers } from './step-error.ts'

const unauthenticated = 'ERR_INFRA_UNAUTHENTICATED'
const unauthorized = 'ERR_INFRA_UNAUTHORIZED'
const quota = 'ERR_INFRA_QUOTA_EXCEEDED'
const rate = 'ERR_INFRA_RATE_LIMITS_EXCEEDED'
const dependencies = 'ERR_INFRA_DEPENDENCIES'
const retryableDependencies = 'ERR_RETRYABLE_INFRA_DEPENDENCIES'
const depleted = 'ERR_INFRA_RESOURCES_DEPLETED'
const configuration = 'ERR_CONFIGURATION_PROBLEM'
const retryableConfiguration = 'ERR_RETRYABLE_CONFIGURATION_PROBLEM'

/** One row per alternative in docs/contract/lifecycle.md#classifiers, followed by texts that are easily confused. */
const rows: readonly (readonly [string, ...ErrorCode[]])[] = [
  ['AuthFailure: AWS was not able to validate the provided access credentials', unauthenticated],
  ['InvalidAccessKeyId: the key does not exist', unauthenticated],
  ['InvalidSecretAccessKey', unauthenticated],

  ['Unauthorized', unauthorized],
  ['InvalidClientTokenId: The security token included in the request is invalid', unauthorized],
  ['SignatureDoesNotMatch', unauthorized],
  ['UnauthorizedOperation: You are not authorized to perform this operation', unauthorized],
  ['AccessDenied: User is not authorized', unauthorized],

  ['VpcLimitExceeded: The maximum number of VPCs has been reached', quota],
  ['see Service Quotas', quota],
  ['Quota of 5 addresses exceeded', quota],
  ['you exceeded quota', quota],
  ['Quota has been met', quota],
  ['QUOTA_EXCEEDED', quota],

  ['RequestLimitExceeded', rate],
  ['Throttling: Rate exceeded', rate],
  ['Too many requests', rate],

  ['PendingVerification: Your account is currently being verified', dependencies],
  ['Access Not Configured', dependencies],
  ['accessNotConfigured', dependencies],
  ['DependencyViolation: resource has a dependent object', dependencies],
  ['OptInRequired: You are not subscribed to this service', dependencies],
  ['DeleteConflict: Cannot delete entity', dependencies],
  ['Conflict', dependencies],
  ['The account is in an inactive billing state', dependencies],
  ['timeout while waiting for state to become deleted', dependencies],
  ['InvalidCidrBlock', dependencies],
  ['volume is already busy for another', dependencies],
  ['InsufficientFreeAddressesInSubnet', dependencies],
  ['internal server error', dependencies],
  ['A resource with the ID x already exists', dependencies],
  ['it is currently associated with another service', dependencies],

  ['RetryableError', retryableDependencies],

  ['t2.large is not available in the current hardware cluster', depleted],
  ['InsufficientInstanceCapacity', depleted],
  ['out of stock', depleted],

  ['m9 is not supported in your requested Availability Zone', configuration],
  ['InvalidParameterValue: Value (x) is invalid', configuration],
  ['notFound', configuration],
  ['InvalidSubnet', configuration],
  ['Invalid value', configuration],
  ['violates constraint', configuration],
  ["The instance 'i-1' may not be terminated. Modify its 'disableApiTermination' attribute", configuration],
  ['VPC has no attached internet gateway found', configuration],
  ['invalid VPC attributes', configuration],
  ['unrecognized feature gate: X', configuration],
  ['runtime-config invalid key x', configuration],
  ['strict decoder error', configuration],
  ['not allowed to configure an unsupported version', configuration],
  ['error during apply of object "v1/Secret/a/b" is invalid: x', configuration],
  ['duplicate zones', configuration],
  ['overlapping zones', configuration],
  [
    'error while validating ProviderSpec providerSpec.blockDevices[3].ebs.volumeType: Required value: Please mention a valid EBS volume type',
    configuration,
  ],

  ['the PDB is misconfigured and requires zero voluntary evictions', retryableConfiguration],
  ['SDK.CanNotResolveEndpoint', retryableConfiguration],
  ['The requested configuration is currently not supported', retryableConfiguration],

  ['REQUESTLIMITEXCEEDED', rate],
  ['RequestLimitExceeded after AddressLimitExceeded', quota, rate],
  ['InvalidSubnetID.NotFound', configuration],
  ['AccessDenied: Conflict', dependencies, unauthorized],
  ['connect ECONNREFUSED 127.0.0.1:443'],
  [''],
]

describe('AWS errors as Gardener codes', () => {
  test.each(rows.map(([message, ...codes]) => [message, codes] as const))('%j: %j', (message, codes) => {
    expect(classify(message, awsClassifiers)).toEqual(codes)
    expect(classify(message.toUpperCase(), awsClassifiers)).toEqual(codes)
  })

  test('every expression has a message above', () => {
    const unused = awsClassifiers.filter(
      ({ code, matches }) => !rows.some(([message, ...codes]) => codes.includes(code) && matches(message)),
    )
    expect(unused).toEqual([])
  })
})
