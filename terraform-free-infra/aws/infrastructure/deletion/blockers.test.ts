import type { NetworkInterface } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { blockersOfAddress, blockersOfSubnet, blockersOfTable, sentenceOf } from './blockers.ts'

const isOurs = (id: string) => id.endsWith('0ae')
const textsOf = (...args: Parameters<typeof blockersOfSubnet>) =>
  blockersOfSubnet(...args).map(({ text }) => text)

describe('an interface', () => {
  test.each<[string, NetworkInterface, string]>([
    ['of a machine', { Attachment: { InstanceId: 'i-1' } }, 'instance i-1'],
    ['of an endpoint', { Description: 'VPC Endpoint Interface vpce-0a' }, 'VPC endpoint vpce-0a'],
    ['of a NAT gateway', { Description: 'Interface for NAT Gateway nat-0a' }, 'NAT gateway nat-0a'],
    ['of a load balancer', { Description: 'ELB app/web/0a' }, 'load balancer app/web/0a'],
    ['of EFS', { Description: 'EFS mount target for fs-0a (fsmt-0b)' }, 'mount target fsmt-0b'],
    ['of an unknown owner', { Description: 'mine' }, '"mine"'],
  ])('%s is named with its holder', (_, one, holder) => {
    const interfaces = [{ NetworkInterfaceId: 'eni-1', SubnetId: 'subnet-1', ...one }]
    expect(textsOf(interfaces, 'subnet-1', isOurs)).toEqual([`network interface eni-1 (${holder})`])
    expect(textsOf(interfaces, 'subnet-2', isOurs)).toEqual([])
  })

  test('without any fact is named by its id', () => {
    const bare = { NetworkInterfaceId: 'eni-1', SubnetId: 'subnet-1' }
    expect(textsOf([bare], 'subnet-1', isOurs)).toEqual(['network interface eni-1'])
  })
})

test('an elastic address is used by its interface, also in another VPC', () => {
  const addresses = [
    { AllocationId: 'eipalloc-2', NetworkInterfaceId: 'eni-2' },
    { AllocationId: 'eipalloc-1', NetworkInterfaceId: 'eni-1' },
    { AllocationId: 'eipalloc-3' },
  ]
  const interfaces = [{ NetworkInterfaceId: 'eni-1', Attachment: { InstanceId: 'i-1' } }]
  const textOf = (id: string) => sentenceOf(id, blockersOfAddress(interfaces, addresses, id, isOurs))
  expect(textOf('eipalloc-1')).toBe(
    'eipalloc-1 is in use by network interface eni-1 (instance i-1). Delete the instance i-1, or ask its owner to do so',
  )
  expect(textOf('eipalloc-2')).toMatch(/^eipalloc-2 is in use by network interface eni-2\. /)
  expect(textOf('eipalloc-3')).toBeUndefined()
})

test('a route table is used by its present associations', () => {
  const state = (State: 'associated' | 'disassociated') => ({ AssociationState: { State } })
  const tables = [
    {
      RouteTableId: 'rtb-1',
      Associations: [
        { SubnetId: 'subnet-1', ...state('associated') },
        { SubnetId: 'subnet-2', ...state('disassociated') },
        { GatewayId: 'igw-1', ...state('associated') },
        { Main: true },
      ],
    },
    { RouteTableId: 'rtb-2', Associations: [{ SubnetId: 'subnet-3' }] },
  ]
  expect(blockersOfTable(tables, 'rtb-1', isOurs)).toEqual([
    {
      text: 'subnet subnet-1, which is associated with it',
      remedy: 'Associate subnet-1 with another route table',
    },
    {
      text: 'gateway igw-1, which is associated with it',
      remedy: 'Associate igw-1 with another route table',
    },
  ])
})

describe('a sentence', () => {
  const blocker = (name: string) => ({ text: name, remedy: `Delete ${name}` })
  const ours = { text: 'ours', remedy: undefined }

  test.each([
    [[blocker('a')], 'x is in use by a. Delete a, or ask its owner to do so'],
    [
      [ours, blocker('a'), blocker('b')],
      'x is in use by a, b and ours. Delete them, or ask their owners to do so',
    ],
    [[ours, blocker('a')], 'x is in use by a and ours. Delete a, or ask its owner to do so'],
    [
      ['a', 'b', 'c', 'd', 'e'].map(blocker),
      'x is in use by a, b, c and 2 more. Delete them, or ask their owners to do so',
    ],
    [[ours], 'x is in use by ours. It belongs to the shoot, and AWS has not removed it yet'],
    [[], undefined],
  ])('of %j', (blockers, sentence) => expect(sentenceOf('x', blockers)).toBe(sentence))

  test('gives no remedy for an interface of the shoot', () => {
    const one = {
      NetworkInterfaceId: 'eni-1',
      SubnetId: 'subnet-1',
      Description: 'Interface for NAT Gateway nat-0ae',
    }
    expect(blockersOfSubnet([one], 'subnet-1', isOurs)[0]?.remedy).toBeUndefined()
  })
})
