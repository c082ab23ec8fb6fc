import { DeleteSecurityGroupCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { codesOf } from '../../../shared/contract/classify.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { startAccount } from './testing/account.ts'
import { type BastionParts, blocks, clusterOf, namespace } from './testing/objects.ts'
import { type BastionSurroundings, secretAccessKey, stepsOver } from './testing/steps.ts'

/** Returns the error of a failed reconcile and the calls before it. */
const failureOf = async (
  parts: BastionParts,
  surroundings: BastionSurroundings = {},
  prepare: (account: ReturnType<typeof startAccount>) => Promise<unknown> = ({ makeNetwork }) =>
    makeNetwork(),
) => {
  const account = startAccount()
  await prepare(account)
  account.aws.calls.clear()
  const { step } = stepsOver(account.aws.requestHandler, account.clock, parts, surroundings)
  const error: unknown = await step('reconcile').then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Error)) throw new Error('it did not fail')
  expect(account.writes()).toEqual([])
  expect(error.message).not.toContain(secretAccessKey)
  return { message: error.message, codes: codesOf(error), actions: account.actions() }
}

const misconfigured = ['ERR_CONFIGURATION_PROBLEM']

test.each([
  [
    'a range that is none',
    blocks('203.0.113.7'),
    'spec.ingress[0].ipBlock.cidr: expected a range of addresses such as 203.0.113.7/32 or 2001:db8::/64, found "203.0.113.7"',
  ],
  [
    'a prefix that is too long',
    blocks('203.0.113.7/32', '2001:db8::/129'),
    'spec.ingress[1].ipBlock.cidr: expected a range of addresses such as 203.0.113.7/32 or 2001:db8::/64, found "2001:db8::/129"',
  ],
  [
    'an exception outside of its range',
    [{ ipBlock: { cidr: '203.0.113.0/24', except: ['203.0.114.1/32'] } }],
    'spec.ingress[0].ipBlock.except[0]: expected a range within 203.0.113.0/24, found 203.0.114.1/32',
  ],
])('%s is refused before any call to AWS', async (_, ingress, message) => {
  const failure = await failureOf({ spec: { ingress } })
  expect(failure).toEqual({ message, codes: misconfigured, actions: [] })
})

test('user data of 16 KiB is accepted, and one byte more is refused', async () => {
  const ofSize = (size: number) => ({ spec: { userData: Buffer.alloc(size, '#').toString('base64') } })
  expect(await failureOf(ofSize(16 * 1024 + 1))).toEqual({
    message:
      'spec.userData: expected at most 16384 bytes, the limit of EC2, found 16385. Let the machine download the rest',
    codes: misconfigured,
    actions: [],
  })
  const account = startAccount()
  await account.makeNetwork()
  const { step } = stepsOver(account.aws.requestHandler, account.clock, ofSize(16 * 1024))
  expect(await step('reconcile')).toMatchObject({ kind: 'continue' })
})

test('a name with its affixes may have the maximal length of EC2, and one character more is refused', async () => {
  const most = 256 - `${namespace}--bastion`.length
  const ofLength = (length: number) => ({ metadata: { name: 'n'.repeat(length) } })
  expect(await failureOf(ofLength(most + 1))).toEqual({
    message: expect.stringMatching(
      new RegExp(
        `^metadata.name: expected at most ${most} characters, .* found ${most + 1}\\. Rename the Bastion$`,
      ),
    ),
    codes: misconfigured,
    actions: [],
  })
  const account = startAccount()
  await account.makeNetwork()
  const { step } = stepsOver(account.aws.requestHandler, account.clock, ofLength(most))
  expect(await step('reconcile')).toMatchObject({ kind: 'continue' })
})

test('a missing infrastructure is reported by its missing part', async () => {
  expect(await failureOf({}, {}, async () => {})).toMatchObject({
    message: `found no subnet ${namespace}-public-utility-z0 in eu-west-1. Reconcile the Infrastructure. A shoot in subnets of the user has no such subnet and does not support bastions`,
    codes: misconfigured,
  })
  const withoutGroup = await failureOf({}, {}, async ({ makeNetwork, ec2 }) => {
    const { workers } = await makeNetwork()
    await ec2.send(new DeleteSecurityGroupCommand({ GroupId: workers }))
  })
  expect(withoutGroup).toMatchObject({
    message: expect.stringMatching(
      `^found no security group ${namespace}-nodes in vpc-\\w+\\. Reconcile the Infrastructure\\. `,
    ),
    codes: misconfigured,
  })
})

test.each([
  [
    'a machine type that there is not',
    { bastion: { machineType: { name: 'm9.huge' } } },
    'spec.cloudProfile.spec.bastion.machineType.name: unknown machine type m9.huge',
  ],
  [
    'no image in the region',
    { providerConfig: { machineImages: [] } },
    'spec.cloudProfile.spec.providerConfig.machineImages: expected an AMI of gardenlinux 1877.3.0 for t3.small (architecture amd64) in eu-west-1, found none. Add it, or set spec.cloudProfile.spec.bastion.machineImage',
  ],
])('%s is refused with the field of the CloudProfile', async (_, cloudProfile, message) => {
  const failure = await failureOf({}, { cluster: clusterOf({ cloudProfile }) })
  expect(failure).toMatchObject({
    message: `cannot choose the machine of the bastion: ${message}`,
    codes: misconfigured,
  })
})

test('an invalid region name is refused before any call to AWS', async () => {
  const cluster = clusterOf({ shoot: { region: 'eu-west-1.evil.example' } })
  expect(await failureOf({}, { cluster })).toEqual({
    message: `spec.shoot.spec.region of the Cluster ${namespace}: "eu-west-1.evil.example" is not an AWS region`,
    codes: misconfigured,
    actions: [],
  })
})

test('a region without an EC2 endpoint is reported with its field', async () => {
  const account = startAccount()
  const gone: AwsRequestHandler = {
    handle: async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND ec2.eu-west-9.amazonaws.com'), {
        code: 'ENOTFOUND',
      })
    },
  }
  const { step } = stepsOver(
    gone,
    account.clock,
    {},
    { cluster: clusterOf({ shoot: { region: 'eu-west-9' } }) },
  )
  await expect(step('reconcile')).rejects.toMatchObject({
    message: `spec.shoot.spec.region of the Cluster ${namespace}: "eu-west-9" is not an AWS region`,
    codes: misconfigured,
  })
})

test('no error repeats a secret from a response of AWS or of a proxy', async () => {
  const account = startAccount()
  const { step } = stepsOver(account.aws.requestHandler, account.clock)
  const before = () => {
    throw new Error(`proxy refused ${secretAccessKey}`)
  }
  const error: unknown = await step('reconcile', { before }).catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('proxy refused')
  expect(String(error)).not.toContain(secretAccessKey)
})

test('a shoot without a Secret gets an error that names the missing one', async () => {
  expect(await failureOf({}, { secret: null })).toEqual({
    message: `cannot read the Secret ${namespace}/cloudprovider, which contains the credentials of the shoot: not found`,
    codes: misconfigured,
    actions: [],
  })
})
