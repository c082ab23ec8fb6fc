import { DeleteSecurityGroupCommand, RevokeSecurityGroupIngressCommand } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { codesOf } from '../../../shared/contract/classify.ts'
import {
  errorOf,
  expectNothingLeft,
  groupName,
  minute,
  setUp,
  setUpLate,
  terminate,
} from './testing/late-sight.ts'
import { namespace } from './testing/objects.ts'

describe('a deletion', () => {
  test.each(['CreateSecurityGroup', 'RunInstances'])(
    'right after a %s without an answer waits until EC2 shows the result, and deletes it',
    async action => {
      const account = await setUpLate()
      const { aws, step, until } = account
      aws.faults.add({ action, when: 'after', effect: { kind: 'drop' } })
      await errorOf(until('reconcile'))
      expect(await step('remove')).toMatchObject({
        kind: 'continue',
        description: expect.stringMatching(
          /^Waiting until EC2 shows the .*, which was or may have been created at .*Z, or until it is certainly gone at .*Z$/,
        ),
        waitsFor: 'removal',
      })
      await until('remove')
      await expectNothingLeft(account)
    },
  )

  test.each(['CreateSecurityGroup', 'RunInstances'])(
    'after a %s that was never executed ends five minutes after it',
    async action => {
      const account = await setUp()
      const { aws, until, clock } = account
      aws.faults.add({ action, effect: { kind: 'drop' } })
      await errorOf(until('reconcile'))
      const began = clock.now()
      await until('remove')
      expect(clock.now() - began).toBe(300_000)
      await expectNothingLeft(account)
    },
  )

  test('after a refused call ends at once', async () => {
    const { aws, step } = await setUp()
    const effect = { kind: 'error', code: 'UnauthorizedOperation', status: 403 } as const
    aws.faults.add({ action: 'CreateSecurityGroup', effect })
    await errorOf(step('reconcile'))
    expect(await step('remove')).toEqual({ kind: 'done' })
  })

  test('of an invisible instance terminates it by its id', async () => {
    const account = await setUpLate()
    const { until, step, clock, instances } = account
    for (
      let result = await step('reconcile');
      (await instances()).length === 0;
      result = await step('reconcile')
    )
      await clock.advance(result.kind === 'continue' ? result.afterMs : 0)
    await until('remove')
    await expectNothingLeft(account)
  })

  test('of an old Bastion whose resources a user has deleted does not wait', async () => {
    const account = await setUp()
    const { until, step, clock, instances, groupNamed, ec2, network, aws } = account
    await until('reconcile')
    const GroupId = (await groupNamed(groupName))?.GroupId
    for (const { InstanceId } of await instances()) await terminate(account, String(InstanceId))
    await clock.advance(2 * 3_600_000)
    const IpPermissions = (await groupNamed(`${namespace}-nodes`))?.IpPermissions
    await ec2.send(new RevokeSecurityGroupIngressCommand({ GroupId: network.workers, IpPermissions }))
    await ec2.send(new DeleteSecurityGroupCommand({ GroupId }))
    aws.calls.clear()
    expect(await step('remove')).toMatchObject({ kind: 'done' })
  })

  test('repeated after a process died at its last call does not wait for an old Bastion', async () => {
    const { until, step, clock, aws } = await setUp()
    await until('reconcile')
    await clock.advance(2 * 3_600_000)
    await step('remove')
    await clock.advance(10 * minute)
    aws.faults.add({ action: 'DeleteSecurityGroup', when: 'after', effect: { kind: 'drop' } })
    await errorOf(step('remove'))
    expect(await step('remove')).toMatchObject({ kind: 'done' })
  })

  test('revokes a rule of the nodes that EC2 does not list', async () => {
    const account = await setUpLate()
    const { until, step, clock, groupNamed } = account
    for (;;) {
      const result = await step('reconcile')
      if (((await groupNamed(`${namespace}-nodes`))?.IpPermissions ?? []).length > 0) break
      await clock.advance(result.kind === 'continue' ? result.afterMs : 0)
    }
    await until('remove')
    await expectNothingLeft(account)
  })

  test('of a group that something else uses is reported after five minutes', async () => {
    const { until, step, network, makeInstance, groupNamed, clock } = await setUp()
    await until('reconcile')
    const group = String((await groupNamed(groupName))?.GroupId)
    const theirs = await makeInstance(network.subnetId, group, 'their machine')
    await step('remove')
    await clock.advance(minute)
    const began = clock.now()
    expect(await step('remove')).toMatchObject({
      kind: 'continue',
      description: expect.stringMatching(
        /^Waiting until the security group can be deleted: .*DependencyViolation/,
      ),
    })
    const error = await errorOf(until('remove'))
    expect(codesOf(error)).toEqual(['ERR_INFRA_DEPENDENCIES'])
    expect(clock.now() - began).toBe(300_000)
    expect(theirs).toMatch(/^i-/)
  })
})
