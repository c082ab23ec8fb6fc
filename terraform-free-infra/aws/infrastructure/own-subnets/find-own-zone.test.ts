import type { RouteTable, Subnet } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { findOwnZone, tableOf } from './find-own-zone.ts'

const table = (
  RouteTableId: string,
  State: 'associated' | 'disassociating' | 'failed',
  association: { readonly SubnetId?: string; readonly Main?: boolean },
): RouteTable => ({ RouteTableId, Associations: [{ AssociationState: { State }, ...association }] })

describe('the route table of a subnet', () => {
  const main = table('rtb-main', 'associated', { Main: true })
  const own = table('rtb-own', 'associated', { SubnetId: 'subnet-1' })

  test.each(['disassociating', 'failed'] as const)('is not one whose association is %s', state => {
    const former = table('rtb-former', state, { SubnetId: 'subnet-1' })
    const formerMain = table('rtb-former-main', state, { Main: true })
    for (const tables of [
      [former, formerMain, main, own],
      [own, main, formerMain, former],
    ])
      expect(tableOf('subnet-1', tables)).toBe('rtb-own')
    for (const tables of [
      [former, formerMain, main],
      [main, formerMain, former],
    ])
      expect(tableOf('subnet-1', tables)).toBe('rtb-main')
  })
})

test('a subnet that a user has tagged for load balancers is the same in any order of subnets', () => {
  const tagged = (SubnetId: string): Subnet => ({
    SubnetId,
    AvailabilityZone: 'eu-west-1a',
    Tags: [
      { Key: 'kubernetes.io/role/elb', Value: '1' },
      { Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'shared' },
    ],
  })
  const zone = {
    name: 'eu-west-1a',
    suffix: 'z0',
    workers: 'subnet-1',
    internal: undefined,
    public: undefined,
  }
  const subnets = [{ SubnetId: 'subnet-1' }, tagged('subnet-3'), tagged('subnet-2')]
  for (const list of [subnets, subnets.toReversed()])
    expect(
      findOwnZone({ clusterName: 'shoot--foo--bar' }, zone, { subnets: list, tables: [] })?.public?.id,
    ).toBe('subnet-2')
})
