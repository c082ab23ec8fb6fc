import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { findWebhooks } from '../functions/find-webhooks.ts'
import { registrations, serviceNameOf } from '../shared/admission/admission.ts'
import { servedBy } from '../webhook/webhook.ts'
import { webhookFiles, webhookManifest } from './webhook-manifest.ts'
import { webhookObjects } from './webhook-objects.ts'

const webhooks = await findWebhooks()

describe.each(['seed', 'garden'] as const)('the manifest of the webhooks of a %s', cluster => {
  const served = servedBy({ cluster, components: [] }, webhooks)
  const { services, clusterRole, deployment } = webhookObjects(cluster, served)

  test('is the one that follows from the definitions: make manifests', async () => {
    const written = await readFile(new URL(webhookFiles[cluster], import.meta.url), 'utf8')
    expect(written).toBe(webhookManifest(cluster, webhooks))
  })

  test('has a Service for whatever the configurations name', () => {
    const named = registrations(served, { namespace: 'trellis', caBundleOf: () => '' }).flatMap(
      ({ webhooks = [] }) => webhooks.map(({ clientConfig }) => clientConfig.service?.name),
    )
    expect(services.map(({ metadata }) => metadata?.name)).toEqual([...new Set(named)].toSorted())
    expect(named).toContain(serviceNameOf(cluster === 'seed' ? 'provider-aws' : 'admission-aws'))
  })

  test('lets nothing be written of what is reviewed', () => {
    const writes = clusterRole.rules.filter(({ verbs }) =>
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

  test('has two replicas, and time for callers to leave', () => {
    expect(deployment.spec?.replicas).toBe(2)
    expect(deployment.spec?.template.spec?.terminationGracePeriodSeconds).toBeGreaterThan(100 + 30)
  })
})
