import type { Cast, Part, Spec } from '../cast.ts'
import { type Home, homes } from '../homes.ts'
import { bastionAccidents } from './bastion-accidents.ts'
import { managedNetwork } from './networks.ts'

const ingress = (...cidrs: readonly string[]) => cidrs.map(cidr => ({ ipBlock: { cidr } }))

/** A network policy may except parts of a range. */
const withHoles = {
  ipBlock: { cidr: '203.0.112.0/20', except: ['203.0.113.0/24', '203.0.118.0/23', '203.0.120.7/32'] },
}

/** As many ranges as a group may have rules. */
const full = (third: number) =>
  ingress(...Array.from({ length: 60 }, (_, index) => `198.51.${third}.${index * 4}/30`))

const bastionOf = ({ namespace }: Home, name: string): Part['desired'] => ({
  kind: 'Bastion',
  key: { name, namespace },
  spec: {
    type: 'aws',
    userData: Buffer.from('#!/bin/bash\n').toString('base64'),
    ingress: ingress('198.51.100.0/24'),
  },
})

const changes: Part['changes'] = [
  (spec: Spec) => ({ ...spec, ingress: ingress('203.0.113.0/24') }),
  spec => ({ ...spec, ingress: ingress('198.51.100.0/24', '203.0.113.0/24') }),
  spec => ({ ...spec, ingress: ingress('198.51.100.0/24') }),
  spec => ({ ...spec, ingress: [withHoles, ...ingress('198.51.100.0/24')] }),
  spec => ({ ...spec, ingress: full(100) }),
  spec => ({ ...spec, ingress: full(101) }),
  spec => ({ ...spec, ingress: ingress('198.51.100.0/24', '203.0.113.0/24', '192.0.2.0/24') }),
]

/** Bastions of networks that exist, which may be deleted after them. Both shoots have Bastions of the same names. */
export const bastions: Cast = {
  name: 'bastions',
  functions: ['aws-bastion', 'aws-infrastructure'],
  from: 'withNetworks',
  spanMs: 60_000,
  exchanges: 40,
  actions: [
    ...[
      'RunInstances',
      'CreateSecurityGroup',
      'AuthorizeSecurityGroupIngress',
      'AuthorizeSecurityGroupEgress',
    ],
    ...[
      'RevokeSecurityGroupIngress',
      'RevokeSecurityGroupEgress',
      'TerminateInstances',
      'DeleteSecurityGroup',
    ],
    ...['DescribeInstances', 'DescribeSecurityGroups', 'DescribeSubnets', 'DescribeImages'],
  ].map(action => `ec2:${action}`),
  parts: random => {
    const names = random.pick([['cli'], ['cli'], ['cli', 'web']])
    return homes.slice(0, random.chance(0.3) ? 2 : 1).flatMap(home => [
      ...names.map(name => ({
        home,
        desired: bastionOf(home, name),
        changes,
        canMove: false,
        canBeForced: false,
        inputs: ['another key', 'another machine'] as const,
        accidents: bastionAccidents(home),
      })),
      {
        home,
        desired: managedNetwork(home),
        changes: [],
        canMove: false,
        canBeForced: false,
        accidents: [],
        isLast: true,
      },
    ])
  },
}
