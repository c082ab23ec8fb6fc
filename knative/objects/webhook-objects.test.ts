import type { V1ClusterRole, V1Deployment } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { registrations, serviceNameOf } from '../../shared/webhooks/admission/admission.ts'
import { servedBy } from '../../shared/webhooks/server/webhook.ts'
import { deploymentOf } from '../deployment.ts'
import { webhookObjects } from './webhook-objects.ts'

const webhooks = await findWebhooks()

describe.each(['seed', 'garden'] as const)('the webhook objects of a %s', cluster => {
  const served = servedBy({ cluster, components: [] }, webhooks)
  const { asking, running } = webhookObjects(deploymentOf({ webhooks }), cluster)
  const objects = [...asking, ...running].map(({ object }) => object)
  const services = objects.filter(({ kind }) => kind === 'Service')
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as V1Deployment | undefined
  const clusterRole = objects.find(({ kind }) => kind === 'ClusterRole') as V1ClusterRole | undefined

  test('include a Service for every name in the configurations', () => {
    const named = registrations(served, { namespace: 'trellis', caBundleOf: () => '' }).flatMap(
      ({ webhooks = [] }) => webhooks.map(({ clientConfig }) => clientConfig.service?.name),
    )
    expect(services.map(({ metadata }) => metadata.name)).toEqual([...new Set(named)].toSorted())
    expect(named).toContain(serviceNameOf(cluster === 'seed' ? 'provider-aws' : 'admission-aws'))
  })

  test('let API servers of shoots call the components with webhooks for shoots, and no others', () => {
    const names = served.filter(({ target }) => target === 'shoot').map(one => serviceNameOf(one.component))
    const open = services.filter(({ metadata }) =>
      Object.hasOwn(
        metadata.annotations ?? {},
        'networking.resources.gardener.cloud/from-all-webhook-targets-allowed-ports',
      ),
    )
    expect(open.map(({ metadata }) => metadata.name)).toEqual([...new Set(names)].toSorted())
    expect(open.length > 0).toBe(cluster === 'seed')
  })

  test('allow no writes of reviewed objects', () => {
    const writes = (clusterRole?.rules ?? []).filter(({ verbs }) =>
      verbs.some(verb => !['get', 'list', 'watch'].includes(verb)),
    )
    expect(
      new Set(
        writes.flatMap(({ apiGroups = [], resources = [] }) =>
          resources.map(resource => `${apiGroups[0]}/${resource}`),
        ),
      ),
    ).toEqual(
      new Set([
        'admissionregistration.k8s.io/mutatingwebhookconfigurations',
        ...(cluster === 'seed'
          ? ['resources.gardener.cloud/managedresources', '/secrets']
          : ['admissionregistration.k8s.io/validatingwebhookconfigurations']),
      ]),
    )
  })

  test('have two replicas, and time for callers to disconnect', () => {
    expect(deployment?.spec?.replicas).toBe(2)
    expect(deployment?.spec?.template.spec?.terminationGracePeriodSeconds).toBeGreaterThan(100 + 30)
  })
})

test('a deployment without webhooks has no webhook process', () => {
  expect(webhookObjects(deploymentOf(), 'seed')).toEqual({ asking: [], running: [] })
})
