import { DescribeAvailabilityZonesCommand } from '@aws-sdk/client-ec2'
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
})
