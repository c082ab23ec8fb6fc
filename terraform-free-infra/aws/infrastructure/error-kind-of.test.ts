import { expect, test } from 'vitest'
import { describeAwsError } from '../account/errors/aws-error.ts'
import { errorKindOf } from './with-error-codes.ts'

const thrown = (name: string, status?: number) =>
  describeAwsError(Object.assign(new Error('said'), { name, $metadata: { httpStatusCode: status } }), {
    doing: 'CreateVpc',
  })

test.each<[string, number | undefined, string]>([
  ['DependencyViolation', 400, 'busy'],
  ['DeleteConflictException', 409, 'busy'],
  ['FileSystemInUse', 409, 'busy'],
  ['IncorrectState', 400, 'busy'],
  ['InvalidSubnet.Conflict', 400, 'busy'],
  ['InvalidVpcID.NotFound', 400, 'gone'],
  ['NatGatewayNotFound', 400, 'gone'],
  ['NoSuchEntityException', 404, 'gone'],
  ['TargetGroupNotFoundException', 400, 'gone'],
  ['Gateway.NotAttached', 400, 'gone'],
  ['EntityAlreadyExistsException', 409, 'exists'],
  ['InvalidKeyPair.Duplicate', 400, 'exists'],
  ['ECONNRESET', undefined, 'uncertain'],
  ['TimeoutError', undefined, 'uncertain'],
  ['InternalError', 500, 'uncertain'],
  ['Unavailable', 503, 'uncertain'],
  ['InvalidParameterValue', 400, 'other'],
  ['VpcLimitExceeded', 400, 'other'],
  ['UnauthorizedOperation', 403, 'other'],
])('%s with status %s is %s', (code, status, fault) => {
  expect(errorKindOf(thrown(code, status))).toBe(fault)
})

test('an error that is not from AWS has no AWS error kind', () => {
  expect(errorKindOf(new Error('DependencyViolation'))).toBe('other')
})
