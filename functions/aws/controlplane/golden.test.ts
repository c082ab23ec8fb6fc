import { describe, expect, test } from 'vitest'
import { checksum, shootWebhooksResource } from '../../../shared/control-plane/control-plane.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { differencesOfObjects, idOf } from '../../../shared/manifests/testing/differences.ts'
import { shootRegistrations } from '../../../shared/webhooks/admission/admission.ts'
import { controlPlaneCases, isBeside, withBeside } from '../../../test/beside/beside.ts'
import {
  type RecordedControlPlane,
  type RecordedManagedResource,
  recordedControlPlane,
  recordedSecrets,
} from '../../../test/recorded/control-planes.ts'
import { definition as configMap } from '../webhooks/shoot-configmap/webhook.ts'
import { definition as service } from '../webhooks/shoot-service/webhook.ts'
import { definition as nginxService } from '../webhooks/shoot-service-nginx-ingress/webhook.ts'
import { desiredControlPlane } from './aws-control-plane.ts'
import { imageTable } from './images/images.ts'
import { controlPlaneValues } from './input/control-plane-values.ts'
import { secretConfigs, shootAccessNames } from './secrets.ts'
import { fixes } from './testing/fixes.ts'

const describeRecorded = describe.skipIf(!isBeside('golden'))

const cloudproviderData = { credentialsFile: 'W2RlZmF1bHRdCg==' }
const bundle = 'certificates'

/** The webhooks of the extension itself, which another process provides (docs/decisions/0045). */
const webhooks = 'extension-controlplane-shoot-webhooks'

/**
 * The webhook configurations that shoots get, with URLs as the Go extension has them: without the provider, the shoot
 * and its proof.
 */
const desiredWebhooks = (namespace: string) => {
  const [configuration] = shootRegistrations([configMap, service, nginxService], {
    namespace: 'extension-provider-aws',
    caBundleOf: () => bundle,
  })
  if (configuration === undefined) throw new Error('there is no webhook for shoots')
  const { objects, ...resource } = shootWebhooksResource(
    { configuration, pathKey: new Uint8Array(32) },
    namespace,
  )
  const text = JSON.stringify(objects).replaceAll(
    new RegExp(`:443/aws/([a-z-]+)/${namespace}/[\\w-]{43}"`, 'g'),
    ':443/$1"',
  )
  return { ...resource, objects: JSON.parse(text) as readonly KubernetesObject[] }
}

const desiredOf = ({ input }: RecordedControlPlane) =>
  desiredControlPlane({
    values: controlPlaneValues({
      controlPlane: input.controlPlane,
      cluster: input.cluster,
      secretLabels:
        input.cloudproviderLabels === 'workload identity'
          ? { 'security.gardener.cloud/purpose': 'workload-identity-token-requestor' }
          : {},
    }),
    images: imageTable,
    generated: {
      cloudControllerServer: 'cloud-controller-manager-server-<hash8>',
      loadBalancerWebhookServer: 'aws-load-balancer-controller-webhook-service-<hash8>',
      caBundle: bundle,
    },
    cloudproviderData,
    replicas: 1,
  })

/** Returns the recorded objects with this test’s certificates and credentials, and without the fixed defects. */
const expectedOf = (name: string, { objects }: RecordedManagedResource): readonly KubernetesObject[] => {
  const text = JSON.stringify(objects)
    .replaceAll('<base64 of the CA bundle>', Buffer.from(bundle).toString('base64'))
    .replaceAll(/(?<="checksum\/secret-cloudprovider":")[0-9a-f]{64}/g, checksum(cloudproviderData))
  return fixes.reduce<readonly KubernetesObject[]>(
    (fixed, { resource, apply }) => (resource === name ? apply(fixed) : fixed),
    JSON.parse(text),
  )
}

describeRecorded(withBeside('golden', 'a recorded ControlPlane'), () => {
  describe.each(controlPlaneCases)('%s', name => {
    const recorded = isBeside('golden') ? recordedControlPlane(name) : undefined
    const managedResources = Object.entries(recorded?.managedResources ?? {}).filter(
      ([resource]) => resource !== webhooks,
    )
    const desired = recorded ? desiredOf(recorded) : []

    test('has the same ManagedResources', () => {
      const got = desired.map(({ name, key, objects: _, namespace: __, ...spec }) => ({
        name,
        key,
        spec,
      }))
      const expected = managedResources.map(([name, { spec, keys }]) => {
        const { secretRefs: _, ...rest } = spec
        return { name, key: keys === undefined ? expect.any(String) : keys.join(), spec: rest }
      })
      expect(got).toHaveLength(expected.length)
      expect(got).toEqual(expect.arrayContaining(expected))
    })

    test('has the same objects', () => {
      const lines = managedResources.flatMap(([name, resource]) => {
        const objects = desired.find(candidate => candidate.name === name)?.objects ?? []
        return differencesOfObjects(expectedOf(name, resource), objects)
      })
      expect(lines.join('\n')).toBe('')
      expect(desired.flatMap(({ objects }) => objects).length).toBeGreaterThan(60)
    })

    test('has the same webhooks in its shoot', () => {
      const stored = recorded?.managedResources[webhooks]
      if (stored === undefined) throw new Error('no webhooks are recorded')
      const desired = desiredWebhooks(String(recorded?.input.controlPlane.metadata.namespace))
      expect(desired.key).toEqual(stored.keys?.join() ?? expect.any(String))
      // Defaults are written out, so that what is there can be compared.
      const lines = differencesOfObjects(expectedOf(webhooks, stored), desired.objects).filter(
        line => !/: nothing → (?:"\*"|"Never"|\{\})$/.test(line),
      )
      expect(lines.join('\n')).toBe('')
      expect(desired.objects.flatMap(({ webhooks = [] }) => webhooks)).toHaveLength(3)
    })

    test('has them in the same order of kinds', () => {
      const kindsOf = (objects: readonly KubernetesObject[]) => [...new Set(objects.map(({ kind }) => kind))]
      for (const [name, { objects }] of managedResources)
        expect(kindsOf(desired.find(resource => resource.name === name)?.objects ?? [])).toEqual(
          kindsOf(objects),
        )
    })

    test('tells each workload the same credentials', () => {
      const checksums = managedResources.flatMap(([, { objects }]) =>
        [...JSON.stringify(objects).matchAll(/"checksum\/secret-cloudprovider":"(\w+)"/g)].map(
          ([, value]) => value,
        ),
      )
      expect(checksums).toHaveLength(5)
      expect(new Set(checksums).size).toBe(1)
    })
  })

  test('has the same secrets', () => {
    const { generatedSecrets, shootAccessSecrets } = recordedSecrets()
    expect(shootAccessNames.map(name => `shoot-access-${name}`).toSorted()).toEqual(
      shootAccessSecrets.map(({ name }) => name).toSorted(),
    )
    const { authorities, certificates } = secretConfigs('shoot--cp--default')
    const recorded = generatedSecrets
      .filter(({ labels }) => labels['bundle-for'] === undefined)
      .map(({ labels, keys, certificate: { subject, san, ca } }) => ({
        name: labels.name,
        persist: labels.persist === 'true',
        ca,
        // A CA is called after its Secret, whose name has a hash.
        commonName: ca ? undefined : subject.replace(/^CN=/, ''),
        dnsNames: san?.split(', ').map(name => name.replace(/^DNS:/, '')),
        hasCaCertificate: keys.includes('ca.crt') && !ca,
      }))
    const desired = [
      ...authorities.map(({ name, persist }) => ({
        name,
        persist,
        ca: true,
        commonName: undefined,
        dnsNames: undefined,
        hasCaCertificate: false,
      })),
      ...certificates.map(({ name, commonName, dnsNames, skipPublishingCaCertificate }) => ({
        name,
        persist: false,
        ca: false,
        commonName,
        dnsNames,
        hasCaCertificate: !skipPublishingCaCertificate,
      })),
    ]
    expect(recorded).toHaveLength(desired.length)
    expect(recorded).toEqual(expect.arrayContaining(desired))
  })

  test('is mended where its page says so, and each of these is needed', () => {
    for (const { resource, apply, why } of fixes) {
      const changed = controlPlaneCases.filter(name => {
        const objects = recordedControlPlane(name).managedResources[resource]?.objects ?? []
        return JSON.stringify(apply(objects)) !== JSON.stringify(objects)
      })
      expect(changed, why).not.toEqual([])
    }
  })

  test('is read completely: no object occurs twice', () => {
    for (const name of controlPlaneCases) {
      const objects = Object.values(recordedControlPlane(name).managedResources).flatMap(
        ({ objects }) => objects,
      )
      const ids = objects.map(idOf)
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    }
  })
})
