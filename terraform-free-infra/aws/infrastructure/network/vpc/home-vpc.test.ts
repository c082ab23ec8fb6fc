import type { Vpc } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import type { State } from '../../../../engine/engine.ts'
import { attachedTo, candidatesOf, type Inhabitant, inhabitedByOurs } from './home-vpc.ts'

const desired = { clusterName: 'shoot--garden--rose', uid: 'uid-of-rose', otherUids: [] }
const owned = [{ Key: 'kubernetes.io/cluster/shoot--garden--rose', Value: 'owned' }]
const state = {
  VPC: 'vpc-recorded',
  DefaultSecurityGroup: 'sg-default',
  'Zones/eu-west-1a/SubnetWorkers': 'subnet-1',
}

test.each<[string, Vpc, readonly Inhabitant[], boolean]>([
  [
    'with the cluster tag and a recorded subnet in it',
    { Tags: owned },
    [{ id: 'subnet-1', vpc: 'vpc-1' }],
    true,
  ],
  [
    'with the cluster tag and nothing recorded in it',
    { Tags: owned },
    [{ id: 'subnet-2', vpc: 'vpc-1' }],
    false,
  ],
  ['without a tag, though a recorded subnet is in it', {}, [{ id: 'subnet-1', vpc: 'vpc-1' }], false],
  ['without a tag, though its default group is recorded', {}, [{ id: 'sg-default', vpc: 'vpc-1' }], false],
])('a VPC %s is ours by its content: %#', (_, vpc, inhabitants, ours) => {
  expect(inhabitedByOurs(desired, state as State, [{ ...vpc, VpcId: 'vpc-1' }], inhabitants)).toEqual(
    ours ? ['vpc-1'] : [],
  )
})

test('the recorded VPC without our tags is ours only by its default group', () => {
  const vpcs = [{ VpcId: 'vpc-recorded' }]
  const living = (id: string) => inhabitedByOurs(desired, state as State, vpcs, [{ id, vpc: 'vpc-recorded' }])
  expect(living('sg-default')).toEqual(['vpc-recorded'])
  expect(living('subnet-1')).toEqual([])
})

test('the tag of the cluster makes a VPC a candidate, but proves nothing', () => {
  const vpcs = [{ VpcId: 'vpc-1', Tags: owned }]
  expect(candidatesOf(desired, {} as State, vpcs)).toEqual({ ids: ['vpc-1'], proved: [] })
})

test('a gateway is attached to the VPC of its present attachment, in any order', () => {
  const former = { VpcId: 'vpc-1', State: 'detached' } as const
  const present = { VpcId: 'vpc-2', State: 'attached' } as const
  expect(attachedTo({ Attachments: [former, present] })).toBe('vpc-2')
  expect(attachedTo({ Attachments: [present, former] })).toBe('vpc-2')
  expect(attachedTo({ Attachments: [{ ...present, State: 'detaching' }] })).toBeUndefined()
  expect(attachedTo({ Attachments: [{ VpcId: 'vpc-2' }] })).toBe('vpc-2')
})
