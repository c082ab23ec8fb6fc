import { describe, expect, test } from 'vitest'
import { formatMilliseconds } from '../../../shared/clock/clock.ts'
import { codesOf } from '../../../shared/contract/classify.ts'
import type { ErrorCode } from '../../../shared/contract/constants.ts'
import { CodedError, RequeueAfterError, StepExpiredError } from '../../../shared/contract/errors.ts'
import { ActionError, ApplyError } from '../../engine/engine.ts'
import { consistentAfterMs } from '../account/consistent-after.ts'
import { describeAwsError } from '../account/errors/aws-error.ts'
import { statePatch } from './state.ts'
import { withErrorCodes } from './with-error-codes.ts'

/** Returns the error of a rejected promise. Fails if it is fulfilled. */
const failureOf = async (promise: Promise<unknown>): Promise<Error> => {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof Error) return outcome
  throw new Error('it did not fail')
}

const aws = (code: string, text = 'said') =>
  describeAwsError(Object.assign(new Error(text), { name: code }), { doing: 'CreateVpc' })
const repeated = (code: string, times: number) => Array.from({ length: times }, () => aws(code))
const failed = (...causes: unknown[]) =>
  new ApplyError(causes.map((cause, index) => new ActionError(`create thing ${index}`, cause)))

test.each<[string, Error, ErrorCode[]]>([
  ['from AWS', aws('VpcLimitExceeded'), ['ERR_INFRA_QUOTA_EXCEEDED']],
  ['of an action', failed(aws('UnauthorizedOperation')), ['ERR_INFRA_UNAUTHORIZED']],
  [
    'of several actions',
    failed(aws('VpcLimitExceeded'), aws('DependencyViolation'), aws('AuthFailure'), new Error('plain')),
    ['ERR_INFRA_DEPENDENCIES', 'ERR_INFRA_QUOTA_EXCEEDED', 'ERR_INFRA_UNAUTHENTICATED'],
  ],
  [
    'of several reads',
    new AggregateError([aws('AuthFailure'), aws('SignatureDoesNotMatch')], 'both'),
    ['ERR_INFRA_UNAUTHENTICATED', 'ERR_INFRA_UNAUTHORIZED'],
  ],
  [
    'of an action about something that has codes',
    failed(new CodedError('x', { codes: ['ERR_CONFIGURATION_PROBLEM'] })),
    ['ERR_CONFIGURATION_PROBLEM'],
  ],
  ['of an action without an AWS error', failed(new Error('AccessDenied')), []],
])('an error %s has the codes of its AWS errors', async (_, error, codes) => {
  const thrown = await failureOf(withErrorCodes(Promise.reject(error)))
  expect(codesOf(thrown)).toEqual(codes)
})

test('an AWS error that every read gets is reported once', async () => {
  const errors = [aws('AuthFailure', 'no'), aws('AuthFailure', 'no'), aws('AccessDenied', 'nor you')]
  const thrown = await failureOf(withErrorCodes(Promise.reject(new AggregateError(errors, 'all'))))
  expect(thrown.message).toBe('CreateVpc: AuthFailure: no; CreateVpc: AccessDenied: nor you')
})

test('a network error that every read gets is reported once', async () => {
  const refused = (doing: string) =>
    describeAwsError(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), { doing })
  const reads = new AggregateError([refused('DescribeVpcs'), refused('GetRole')], 'both')
  const thrown = await failureOf(withErrorCodes(Promise.reject(reads)))
  expect(codesOf(thrown)).toEqual([])
  expect(thrown.message).toBe('DescribeVpcs: ECONNREFUSED: connect ECONNREFUSED')
})

test('an AWS error that several actions get is reported once, after all of them', async () => {
  const thrown = await failureOf(
    withErrorCodes(
      Promise.reject(
        failed(aws('AddressLimitExceeded'), aws('Other'), ...repeated('AddressLimitExceeded', 2)),
      ),
    ),
  )
  expect(thrown.message).toBe(
    'create thing 0, create thing 2 and create thing 3: CreateVpc: AddressLimitExceeded: said; ' +
      'create thing 1: CreateVpc: Other: said',
  )
})

test('an AWS error that some reads share is reported once, whatever else failed', async () => {
  const errors = [...repeated('AuthFailure', 3), new Error('plain'), new Error('plain')]
  const thrown = await failureOf(withErrorCodes(Promise.reject(new AggregateError(errors, 'all of it'))))
  expect(thrown.message).toBe('CreateVpc: AuthFailure: said; plain')
})

test('reads that were all delayed are retried, and that is no failure', async () => {
  const later = new RequeueAfterError(new Error('later'), 30_000)
  const held = new AggregateError([later, new RequeueAfterError(new Error('too'), 30_000)], 'both')
  expect(await failureOf(withErrorCodes(Promise.reject(held)))).toBe(later)
})

test.each([
  new StepExpiredError('over'),
  new RequeueAfterError(new Error('later'), 30_000),
  new Error('UnauthorizedOperation'),
])('%s passes unchanged', async error => {
  expect(await failureOf(withErrorCodes(Promise.reject(error)))).toBe(error)
})

test('a successful result passes', async () => {
  expect(await withErrorCodes(Promise.resolve(1))).toBe(1)
})

describe('an error that a recent change may explain', () => {
  const at = Date.parse('2026-11-21T00:00:00Z')
  const made = (key = 'Made/Zones/eu-west-1a/SubnetWorkers') =>
    statePatch({
      'Zones/eu-west-1a/SubnetWorkers': 'subnet-0123456789abcdef0',
      [key]: formatMilliseconds(at),
    })
  const config = { networks: { vpc: { id: 'vpc-0123456789abcdef0' } } }
  const codesAfter = async (error: Error, ms: number, state: unknown = made()) => {
    const changes = { state: () => state, config: () => config, now: () => at + ms }
    return codesOf(await failureOf(withErrorCodes(Promise.reject(error), changes)))
  }
  const refused = (code: string, id: string) => aws(code, `The resource '${id}' does not exist`)
  const [young, given] = ['subnet-0123456789abcdef0', 'vpc-0123456789abcdef0']

  test.each([
    'InvalidSubnetID.NotFound',
    'InvalidGroup.NotFound',
    'InvalidVpcID.NotFound',
    'InvalidGatewayID.NotFound',
    'NatGatewayNotFound',
    'SubnetNotFound',
    'SecurityGroupNotFound',
    'FileSystemNotFound',
    'InvalidSubnet.Conflict',
  ])('%s has a code only after AWS must show the change', async code => {
    const error = refused(code, young)
    const codes = codesOf(await failureOf(withErrorCodes(Promise.reject(error))))
    expect(codes).toContain('ERR_CONFIGURATION_PROBLEM')
    for (const wrapped of [error, failed(error), new AggregateError([error, error], 'both')]) {
      expect(await codesAfter(wrapped, consistentAfterMs - 1)).toEqual([])
      expect(await codesAfter(wrapped, consistentAfterMs)).toEqual(codes)
    }
  })

  test.each(['Creating/Zones/a/Subnet', 'Changing/VPC ipv6', 'Deleted/subnet/subnet-0000000000000000f'])(
    'has no code because of %s',
    async key => {
      expect(await codesAfter(refused('InvalidSubnetID.NotFound', young), 1_000, made(key))).toEqual([])
    },
  )

  test('has a code if it names a resource of the user', async () => {
    const codes = ['ERR_CONFIGURATION_PROBLEM']
    expect(await codesAfter(refused('InvalidVpcID.NotFound', given), 0)).toEqual(codes)
    expect(await codesAfter(failed(refused('InvalidVpcID.NotFound', given)), 0)).toEqual(codes)
  })

  test('does not hide the code of another error', async () => {
    const both = failed(refused('InvalidSubnetID.NotFound', young), aws('VpcLimitExceeded'))
    expect(await codesAfter(both, 0)).toEqual(['ERR_INFRA_QUOTA_EXCEEDED'])
    expect(await codesAfter(aws('InvalidParameterValue'), 0)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    const named = aws('UnauthorizedOperation', `not authorized for ${young}`)
    expect(await codesAfter(named, 0)).toEqual(['ERR_INFRA_UNAUTHORIZED'])
  })

  test.each([undefined, null, {}, 'damaged', statePatch({ VPC: 'vpc-1' })])(
    'has a code with the state %j, which remembers nothing',
    async state => {
      const error = refused('InvalidSubnetID.NotFound', young)
      expect(await codesAfter(error, 0, state ?? null)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    },
  )
})
