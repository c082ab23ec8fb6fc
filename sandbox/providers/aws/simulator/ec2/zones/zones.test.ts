import {
  DescribeAvailabilityZonesCommand,
  DescribeInstanceTypesCommand,
  DescribeRegionsCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const setUp = () => network.ec2ClientOf(createAws())

describe('a region', () => {
  test('a region has zones with names and ids', async () => {
    const { AvailabilityZones } = await setUp().send(new DescribeAvailabilityZonesCommand({}))
    expect(AvailabilityZones?.map(zone => [zone.ZoneName, zone.ZoneId, zone.State])).toEqual([
      ['eu-west-1a', 'euw1-az3', 'available'],
      ['eu-west-1b', 'euw1-az1', 'available'],
      ['eu-west-1c', 'euw1-az2', 'available'],
    ])
  })

  test('a region does not list the zones of another one', async () => {
    const command = new DescribeAvailabilityZonesCommand({ ZoneNames: ['us-east-1a'] })
    expect(await failureOf(setUp().send(command))).toMatchObject({
      name: 'InvalidParameterValue',
      message: 'Invalid availability zone: [us-east-1a]',
    })
  })

  test('DescribeRegions lists many regions, some of them opt-in', async () => {
    const client = setUp()
    const { Regions } = await client.send(new DescribeRegionsCommand({}))
    expect(Regions).toContainEqual({
      RegionName: 'eu-west-1',
      Endpoint: 'ec2.eu-west-1.amazonaws.com',
      OptInStatus: 'opt-in-not-required',
    })
    const all = await client.send(new DescribeRegionsCommand({ AllRegions: true }))
    expect(all.Regions?.length).toBeGreaterThan(Regions?.length ?? 0)
  })
})

describe('instance types', () => {
  test('instance types have processors, memory and interfaces', async () => {
    const { InstanceTypes } = await setUp().send(
      new DescribeInstanceTypesCommand({ InstanceTypes: ['m5.large', 't4g.small'] }),
    )
    const described = InstanceTypes?.map(type => [
      type.InstanceType,
      type.VCpuInfo?.DefaultVCpus,
      type.MemoryInfo?.SizeInMiB,
      type.ProcessorInfo?.SupportedArchitectures?.[0],
      type.NetworkInfo?.MaximumNetworkInterfaces,
    ])
    expect(described).toEqual([
      ['t4g.small', 2, 2048, 'arm64', 3],
      ['m5.large', 2, 8192, 'x86_64', 3],
    ])
  })

  test('instance types are listed in pages', async () => {
    const client = setUp()
    const first = await client.send(new DescribeInstanceTypesCommand({ MaxResults: 5 }))
    const second = await client.send(
      new DescribeInstanceTypesCommand({ MaxResults: 5, NextToken: first.NextToken }),
    )
    const names = [...(first.InstanceTypes ?? []), ...(second.InstanceTypes ?? [])].map(
      type => type.InstanceType,
    )
    expect(new Set(names).size).toBe(10)
  })

  test('the error names the unknown types', async () => {
    const command = new DescribeInstanceTypesCommand({ InstanceTypes: ['t9.huge' as 't3.small'] })
    expect(await failureOf(setUp().send(command))).toMatchObject({
      name: 'InvalidInstanceType',
      message: 'The following supplied instance types do not exist: [t9.huge]',
    })
  })
})
