import { CreateVpcCommand, DescribeVpcsCommand } from '@aws-sdk/client-ec2'
import { GetRoleCommand } from '@aws-sdk/client-iam'
import { StandardRetryStrategy } from '@smithy/core/retry'
import { expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { RequeueAfterError, StepExpiredError } from '../../../shared/contract/errors.ts'
import { clientSettings } from '../account/client/client.ts'
import { AwsError } from '../account/errors/aws-error.ts'
import { sdkCloud } from './cloud.ts'

const secretAccessKey = 'planted-secret-access-key'

const setUp = ({ signal = new AbortController().signal, throwIfExpired = () => {} } = {}) => {
  const aws = shuffledAws()
  const retryStrategy = new StandardRetryStrategy(1)
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey }
  const settings = clientSettings(
    { requestHandler: aws.requestHandler, retryStrategy },
    'eu-west-1',
    credentials,
  )
  return { aws, signal, cloud: sdkCloud(settings, { throwIfExpired, signal, secrets: [secretAccessKey] }) }
}
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )
const makeVpc = new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' })

test('an error of any service names its operation and its code', async () => {
  const { cloud } = setUp()
  const ec2 = await failureOf(cloud.ec2.send(new DescribeVpcsCommand({ VpcIds: ['vpc-00000000000000000'] })))
  expect(ec2).toBeInstanceOf(AwsError)
  expect(ec2).toMatchObject({
    code: 'InvalidVpcID.NotFound',
    message: expect.stringMatching(/^DescribeVpcs: InvalidVpcID\.NotFound: /),
  })
  const iam = await failureOf(cloud.iam.send(new GetRoleCommand({ RoleName: 'nobody' })))
  expect(iam).toMatchObject({ message: expect.stringMatching(/^GetRole: NoSuchEntity/) })
})

test('an error never contains a secret', async () => {
  const { cloud, aws } = setUp()
  const message = `The key ${secretAccessKey} is no good.`
  aws.faults.add({
    action: 'CreateVpc',
    effect: { kind: 'error', code: 'AuthFailure', status: 403, message },
  })
  const error = await failureOf(cloud.ec2.send(makeVpc))
  expect(String(error)).toContain('is no good')
  expect(JSON.stringify([String(error), error])).not.toContain(secretAccessKey)
})

test('a throttled call requests a later attempt', async () => {
  const { cloud, aws } = setUp()
  aws.faults.add({ action: 'CreateVpc', effect: { kind: 'throttle' } })
  const error = await failureOf(cloud.ec2.send(makeVpc))
  expect(error).toBeInstanceOf(RequeueAfterError)
  expect(error).toMatchObject({ delayMs: 30_000, message: expect.stringContaining('CreateVpc') })
})

test('no write is sent after the deadline of the step, and the error of the check says so', async () => {
  const { cloud, aws } = setUp({
    throwIfExpired: () => {
      throw new StepExpiredError('too late')
    },
  })
  await cloud.ec2.send(new DescribeVpcsCommand({}))
  aws.calls.clear()
  expect(await failureOf(cloud.ec2.send(makeVpc))).toBeInstanceOf(StepExpiredError)
  expect(aws.calls.all()).toEqual([])
})

test('an aborted step ends with its reason, regardless of the AWS error', async () => {
  const controller = new AbortController()
  const { cloud } = setUp({ signal: controller.signal })
  controller.abort(new StepExpiredError('the step is over'))
  const error = await failureOf(cloud.ec2.send(makeVpc, { abortSignal: controller.signal }))
  expect(error).toMatchObject({ message: 'the step is over' })
})
