import { expect, onTestFinished, test } from 'vitest'
import { planOne } from '../../cli/plan/plan-one.ts'
import { plannedKindsOf } from '../../cli/plan/planned-kinds.ts'
import { providerPlanners } from '../../cli/plan/planner.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { PlanJson } from '../../terraform-free-infra/engine/engine.ts'
import { openstackSeed } from './testing/openstack-seed.ts'

const planned = plannedKindsOf((await findProviders()).flatMap(providerPlanners))

test('9: a deletion that ports of others block says so, and what is deleted then', async () => {
  const { seed, openstack, connection, object } = await openstackSeed()
  onTestFinished(() => seed.close())
  const { namespace = '', name } = object.metadata
  const { resource } = kinds.Infrastructure
  const idOf = (kind: 'network' | 'subnet') =>
    openstack.resources(kind).find(one => one.name === namespace)?.id ?? ''
  const port = openstack.add('port', {
    ...{ name: 'someone-else', network_id: idOf('network') },
    ...{ device_owner: 'compute:nova', device_id: 'vm-7' },
  })
  const balancer = `kube_service_${namespace}_default_web`
  openstack.add('loadBalancer', { name: balancer, vip_subnet_id: idOf('subnet') })
  const deletion = async () => {
    const live = await seed.kubernetes.get(resource, { namespace, name })
    if (live === undefined) throw new Error('the Infrastructure is gone')
    const { plan } = await planOne(
      { ...live, kind: 'Infrastructure' },
      {
        ...{ planned, kubernetes: seed.kubernetes, connect: async () => connection, env: {} },
        ...{ signal: new AbortController().signal, delete: true },
      },
    )
    return { text: plan.text((_, text) => text), json: plan.json as PlanJson & { readonly blocked?: object } }
  }
  const { text, json } = await deletion()
  const [blocked = '', deletions = ''] = text.split('Then:\n')
  expect(blocked.replaceAll(/\s+/g, ' ')).toContain(
    `! blocked: nothing is deleted before this is gone cannot delete the network of ${namespace}: in use by port ${port.id} (someone-else), owner compute:nova, device vm-7.`,
  )
  expect(blocked).toContain('(ERR_INFRA_DEPENDENCIES)')
  expect(json.blocked).toMatchObject({ codes: ['ERR_INFRA_DEPENDENCIES'] })
  const deleted = json.actions.flatMap(({ kind, sentence }) => (kind === 'delete' ? [sentence] : []))
  expect(
    deleted.map(
      sentence => /^delete (load balancer|router interface|[a-z]+(?: group| pair)?)/.exec(sentence)?.[1],
    ),
  ).toEqual([
    'load balancer',
    'router interface',
    'network',
    'router',
    'subnet',
    'security group',
    'key pair',
  ])
  expect(deletions).not.toMatch(/vm-7|someone-else|finalizer/)
  expect(text).not.toContain('finalizer')

  // The function does what was said.
  const before = openstack.resources('loadBalancer').length
  const one = seed.object({ namespace, name })
  await one.delete()
  await one.run({ until: live => JSON.stringify(live?.status).includes('ERR_INFRA_DEPENDENCIES') })
  expect(openstack.resources('loadBalancer')).toHaveLength(before)
  openstack.remove('port', port.id)
  expect((await deletion()).json.blocked).toBeUndefined()
})
