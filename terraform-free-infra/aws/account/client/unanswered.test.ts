import { CreateSubnetCommand, EC2Client } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { createAws, type FaultOrder } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { clientSettings } from './client.ts'
import { noteUnanswered, wasRepeated } from './unanswered.ts'

const throttle: FaultOrder = { action: 'CreateSubnet', effect: { kind: 'throttle' } }
const lost: FaultOrder = { action: 'CreateSubnet', effect: { kind: 'drop' } }
const broken: FaultOrder = {
  action: 'CreateSubnet',
  effect: { kind: 'error', code: 'InternalError', status: 500 },
}
const refused: FaultOrder = {
  action: 'CreateSubnet',
  effect: { kind: 'error', code: 'SubnetLimitExceeded', status: 400 },
}

test.each<[string, readonly FaultOrder[], boolean]>([
  ['one answer', [], false],
  ['a throttled attempt, and an answer', [throttle], false],
  ['a refusal', [refused], false],
  ['a lost answer, and an answer', [lost], true],
  ['a broken answer, and an answer', [broken], true],
  ['a lost answer, and a refusal', [lost, refused], true],
  ['a broken answer, a throttled attempt, and a refusal', [broken, throttle, refused], true],
])('a call with %s', async (_, orders, expected) => {
  const aws = createAws()
  const key = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'planted' }
  const client = new EC2Client(clientSettings({ requestHandler: aws.requestHandler }, 'eu-west-1', key))
  client.middlewareStack.use(noteUnanswered())
  for (const [index, order] of orders.entries()) aws.faults.add({ ...order, nth: index + 1, times: 1 })
  const create = new CreateSubnetCommand({ VpcId: 'vpc-1', CidrBlock: '10.0.0.0/24' })
  const outcome: object = await client.send(create).catch((error: object) => error)
  expect(wasRepeated(outcome)).toBe(expected)
})
