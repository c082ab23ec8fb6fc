import { expect, test } from 'vitest'
import type { RunningCloud } from '../cloud/start-cloud.ts'
import { namesIn } from '../lives/cloud-content.ts'
import { succeeded } from '../lives/life.ts'
import { newWorld, sharedStatus, sshPublicKey } from './world.ts'

/** Changes by hand, of the input and of the seed between the creation and the deletion. */
export const defineInfrastructureChanges = (cloud: () => RunningCloud): void => {
  test('drift: what was changed by hand is restored with one write each, and rules of others stay', async () => {
    const world = await newWorld(cloud(), 'drift')
    const life = world.life()
    succeeded(await life.create())
    const {
      routers: [router],
      subnets: [subnet],
      security_groups: [group],
    } = await world.content()
    await world.call('PUT', 'network', `/v2.0/routers/${router?.id}/remove_router_interface`, {
      body: { subnet_id: subnet?.id },
    })
    expect((await life.idle()).writes).toEqual(['network PUT routers/{id}/add_router_interface'])
    const rule = group?.security_group_rules.find(({ protocol }: { protocol: string }) => protocol === 'tcp')
    await world.call('DELETE', 'network', `/v2.0/security-group-rules/${rule.id}`)
    expect((await life.idle()).writes).toEqual(['network POST security-group-rules'])
    await world.call('PUT', 'network', `/v2.0/subnets/${subnet?.id}`, {
      body: { subnet: { dns_nameservers: ['9.9.9.9'] } },
    })
    expect((await life.idle()).writes).toEqual(['network PUT subnets/{id}'])
    await world.create('security-group-rule', {
      security_group_id: group?.id,
      direction: 'ingress',
      ethertype: 'IPv4',
      protocol: 'icmp',
      remote_ip_prefix: '192.0.2.0/24',
    })
    const idle = await life.idle()
    succeeded(idle)
    expect(idle.writes).toEqual([])
    expect((await life.remove()).object).toBeUndefined()
    expect(namesIn(await world.content())).toEqual({})
  })

  test('changed-input: another SSH key replaces the key pair', async () => {
    const world = await newWorld(cloud(), 'changed-input')
    const life = world.life()
    succeeded(await life.create())
    const changed = await life.ask('reconcile', { spec: { sshPublicKey: sshPublicKey('other') } })
    succeeded(changed)
    expect(changed.writes).toEqual(['compute DELETE os-keypairs/{id}', 'compute POST os-keypairs'])
    expect((await world.content()).keypairs[0]?.public_key).toMatch(/ other$/)
    expect((await life.remove()).object).toBeUndefined()
  })

  test('lost-state: everything is found again by its marks or names, without a second of anything', async () => {
    const world = await newWorld(cloud(), 'lost-state')
    const life = world.life()
    const { status } = succeeded(await life.create())
    const before = await world.content()
    await life.patchStatus({ state: null, providerStatus: null })
    const again = await life.idle()
    expect(sharedStatus(succeeded(again).status)).toEqual(sharedStatus(status))
    expect(again.writes).toEqual([])
    expect(await world.content()).toEqual(before)
    expect((await life.remove()).object).toBeUndefined()
    expect(namesIn(await world.content())).toEqual({})
  })

  test('migrate-restore: another seed continues with the state, without a write', async () => {
    const world = await newWorld(cloud(), 'migrate')
    const former = world.life()
    succeeded(await former.create())
    const migrated = await former.ask('migrate')
    expect(migrated.writes).toEqual([])
    const before = await world.content()
    const state = migrated.object?.status?.state
    const life = world.life({}, { ...(state && { state }) })
    const restored = await life.create('restore')
    succeeded(restored)
    expect(restored.writes).toEqual([])
    expect(await world.content()).toEqual(before)
    expect((await life.remove()).object).toBeUndefined()
    expect(namesIn(await world.content())).toEqual({})
  })
}
