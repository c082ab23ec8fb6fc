import { expect, test } from 'vitest'
import {
  ec2Calls,
  recordedCalls,
  recordedResources,
} from '../../../sandbox/providers/aws/simulator/ec2/testing/recording.ts'
import {
  describeAll,
  idMap,
  translate,
} from '../../../sandbox/providers/aws/simulator/ec2/testing/translate.ts'
import type { Bastion } from '../../../shared/contract/objects.ts'
import { recordedObjectOf } from '../../../test/recorded/recorded.ts'
import { startAccount } from './testing/account.ts'
import { stepsOver } from './testing/steps.ts'

const name = 'bastion/bastion'
const cluster = 'shoot--p--aux'
const { metadata, spec, status } = recordedObjectOf(name) as Bastion
const parts = { metadata, spec, ...(status && { status }) }

/** An account with the network of the recording. */
const setUp = async () => {
  const account = startAccount()
  await account.makeNetwork({ cluster })
  return { ...account, ...stepsOver(account.aws.requestHandler, account.clock, parts) }
}

/** Sends the recorded calls of a phase, with the ids that things have here; returns their answers. */
const play = async ({ aws, ec2, clock }: Awaited<ReturnType<typeof setUp>>, phase: string) => {
  const server = await aws.listen()
  const answers: string[] = []
  try {
    for (const { action, params } of ec2Calls(recordedCalls(name), phase)) {
      const ids = idMap(recordedResources(name), await describeAll(ec2))
      const form = new URLSearchParams({ Action: action, Version: '2016-11-15' })
      for (const [key, value] of Object.entries(params)) form.set(key, translate(value, ids))
      const answer = await fetch(server.url, {
        method: 'POST',
        headers: {
          authorization:
            'AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/ec2/aws4_request, SignedHeaders=host, Signature=00',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: form.toString(),
      })
      await answer.text()
      answers.push(`${action} ${answer.status}`)
    }
  } finally {
    await server.close()
  }
  await clock.advance(60_000)
  return answers
}

/** The comparable part of an account: names, tags and rules, without ids and addresses. */
const shapeOf = async ({ groups, instances }: Awaited<ReturnType<typeof setUp>>) => {
  const all = await groups()
  const nameOf = (id: string | undefined) => all.find(({ GroupId }) => GroupId === id)?.GroupName
  const ofRules = (rules: (typeof all)[number]['IpPermissions'] = []) =>
    rules.map(rule => ({
      ports: [rule.IpProtocol, rule.FromPort, rule.ToPort],
      ranges: rule.IpRanges,
      groups: rule.UserIdGroupPairs?.map(({ GroupId }) => nameOf(GroupId)),
    }))
  return {
    groups: all
      .filter(({ GroupName }) => GroupName !== 'default')
      .map(group => ({
        name: group.GroupName,
        description: group.Description,
        tags: group.Tags?.filter(({ Key }) => Key === 'Name'),
        ingress: ofRules(group.IpPermissions),
        egress: ofRules(group.IpPermissionsEgress),
      })),
    instances: (await instances()).map(instance => ({
      tags: instance.Tags?.filter(({ Key }) => Key === 'Name'),
      type: instance.InstanceType,
      image: instance.ImageId,
      groups: instance.SecurityGroups?.map(({ GroupName }) => GroupName),
      profile: instance.IamInstanceProfile,
      key: instance.KeyName,
      metadata: instance.MetadataOptions?.HttpTokens,
    })),
  }
}

test('the recorded bastion is taken over without a write, and told as it was', async () => {
  const world = await setUp()
  await play(world, 'create')
  world.aws.calls.clear()
  const result = await world.until('reconcile')
  expect(world.writes()).toEqual([])
  expect(Object.keys(result.status?.ingress ?? {}).sort()).toEqual(Object.keys(status?.ingress ?? {}).sort())
})

test('a bastion created here equals one of the Go extension, except for the mark', async () => {
  const theirs = await setUp()
  await play(theirs, 'create')
  const ours = await setUp()
  await ours.until('reconcile')
  expect(await shapeOf(ours)).toEqual(await shapeOf(theirs))
})

test('the Go extension finds and deletes all resources of a bastion created here', async () => {
  const world = await setUp()
  const empty = await shapeOf(world)
  await world.until('reconcile')
  await world.clock.advance(60_000)
  const before = await shapeOf(world)
  expect(await play(world, 'idle')).toEqual(
    ec2Calls(recordedCalls(name), 'idle').map(({ action }) => `${action} 200`),
  )
  expect(await shapeOf(world)).toEqual(before)
  await play(world, 'delete')
  // Its group can go only now that the instance has; the Go extension asks again.
  await play(world, 'delete')
  expect(await shapeOf(world)).toEqual(empty)
})

test('the recorded bastion is deleted as ours', async () => {
  const world = await setUp()
  const before = await shapeOf(world)
  await play(world, 'create')
  await world.until('remove')
  expect(await shapeOf(world)).toEqual(before)
})
