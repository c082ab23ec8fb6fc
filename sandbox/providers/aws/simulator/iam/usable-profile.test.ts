import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  CreateRoleCommand,
  IAMClient,
} from '@aws-sdk/client-iam'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { createAws } from '../simulator.ts'
import { clientSettings } from '../testing/clients.ts'
import { profileFinder } from './usable-profile.ts'

const settings = { durations: { profileUsable: 8_000 } }
const trust = {
  Version: '2012-10-17',
  Statement: { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' },
}

test('other services see a profile some time after its creation', async () => {
  const clock = virtualClock(0)
  const aws = createAws({ clock, iam: settings })
  const client = new IAMClient(clientSettings(aws))
  const account = aws.account()
  const find = (wanted: { name: string } | { arn: string }) =>
    profileFinder(settings)(
      {
        clock,
        principal: { accountId: account.id, arn: '', userId: '' },
        stateOf: owner => account.state(owner, 'eu-west-1'),
      },
      wanted,
    )
  const made = await client.send(new CreateInstanceProfileCommand({ InstanceProfileName: 'nodes' }))
  const arn = String(made.InstanceProfile?.Arn)
  await clock.advance(7_999)
  expect(find({ name: 'nodes' })).toBeUndefined()
  await clock.advance(1)
  const found = { arn, id: made.InstanceProfile?.InstanceProfileId, hasRole: false }
  expect(find({ name: 'nodes' })).toEqual(found)
  expect(find({ arn })).toEqual(found)
  expect(find({ arn: arn.replace('123456789012', '999999999999') })).toBeUndefined()
  expect(find({ name: 'constructor' })).toBeUndefined()

  const AssumeRolePolicyDocument = JSON.stringify(trust)
  await client.send(new CreateRoleCommand({ RoleName: 'nodes', AssumeRolePolicyDocument }))
  await client.send(new AddRoleToInstanceProfileCommand({ RoleName: 'nodes', InstanceProfileName: 'nodes' }))
  expect(find({ name: 'nodes' })?.hasRole).toBe(true)
})
