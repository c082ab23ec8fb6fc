import {
  AssociateDhcpOptionsCommand,
  CreateDhcpOptionsCommand,
  DeleteDhcpOptionsCommand,
  DescribeDhcpOptionsCommand,
  ModifyVpcAttributeCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect } from 'vitest'
import type { Hands } from '../made-shoot.ts'
import { testDrifts, usual } from './drift.ts'

const give = ({ ec2, id }: Hands, DhcpOptionsId: string | undefined) =>
  ec2.send(new AssociateDhcpOptionsCommand({ VpcId: id('VPC'), DhcpOptionsId }))

describe('on the VPC, an operator', () => {
  testDrifts(usual, [
    {
      what: 'replaces the DHCP options by their own, which stay',
      done: async hands => {
        const DhcpConfigurations = [{ Key: 'domain-name', Values: ['example.com'] }]
        const { DhcpOptions } = await hands.ec2.send(new CreateDhcpOptionsCommand({ DhcpConfigurations }))
        await give(hands, DhcpOptions?.DhcpOptionsId)
      },
      repaired: ['AssociateDhcpOptions DHCPOptions VPC'],
      survives: async ({ ec2 }) => {
        const Filters = [{ Name: 'value', Values: ['example.com'] }]
        expect((await ec2.send(new DescribeDhcpOptionsCommand({ Filters }))).DhcpOptions).toHaveLength(1)
      },
    },
    {
      what: 'takes the DHCP options away and deletes them',
      done: async hands => {
        await give(hands, 'default')
        await hands.ec2.send(new DeleteDhcpOptionsCommand({ DhcpOptionsId: hands.id('DHCPOptions') }))
      },
      repaired: ['CreateDhcpOptions', 'AssociateDhcpOptions new DHCPOptions VPC'],
    },
    {
      what: 'turns its names off',
      done: async ({ ec2, id }) => {
        const VpcId = id('VPC')
        const off = { Value: false }
        await ec2.send(new ModifyVpcAttributeCommand({ VpcId, EnableDnsHostnames: off }))
        await ec2.send(new ModifyVpcAttributeCommand({ VpcId, EnableDnsSupport: off }))
      },
      repaired: ['ModifyVpcAttribute VPC', 'ModifyVpcAttribute VPC'],
    },
  ])
})
