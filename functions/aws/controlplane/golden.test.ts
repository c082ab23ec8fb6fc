import { describe, expect, test } from 'vitest'
import { shootWebhooksResource } from '../../../shared/control-plane/control-plane.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { differencesOfObjects, idOf } from '../../../shared/manifests/testing/differences.ts'
import { shootRegistrations } from '../../../shared/webhooks/admission/admission.ts'
import { controlPlaneCases } from '../../../test/beside/beside.ts'
import { recordedControlPlane, recordedSecrets } from '../../../test/recorded/control-planes.ts'
import { definition as configMap } from '../webhooks/shoot-configmap/webhook.ts'
import { definition as service } from '../webhooks/shoot-service/webhook.ts'
import { definition as nginxService } from '../webhooks/shoot-service-nginx-ingress/webhook.ts'
import { secretConfigs, shootAccessNames } from './secrets.ts'
import { fixes } from './testing/fixes.ts'
import { bundle, desiredOf, digestsOf, withPlaceholders } from './testing/recorded-form.ts'

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

describe('a recorded ControlPlane', () => {
  describe.each(controlPlaneCases)('%s', name => {
    const recorded = recordedControlPlane(name)
    const managedResources = Object.entries(recorded.managedResources).filter(
      ([resource]) => resource !== webhooks,
    )
    const desired = desiredOf(recorded)

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
      const lines = managedResources.flatMap(([name, { objects: expected }]) => {
        const objects = desired.find(candidate => candidate.name === name)?.objects ?? []
        return differencesOfObjects(expected, digestsOf(name, objects))
      })
      expect(lines.join('\n')).toBe('')
      expect(desired.flatMap(({ objects }) => objects).length).toBeGreaterThan(60)
    })

    test('has the same webhooks in its shoot', () => {
      const stored = recorded.managedResources[webhooks]
      if (stored === undefined) throw new Error('no webhooks are recorded')
      const desired = desiredWebhooks(String(recorded.input.controlPlane.metadata.namespace))
      expect(desired.key).toEqual(stored.keys?.join() ?? expect.any(String))
      // Defaults are written out, so that what is there can be compared.
      const lines = differencesOfObjects(stored.objects, withPlaceholders(desired.objects)).filter(
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
      const checksums = managedResources.flatMap(([, { checksums }]) => checksums)
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
    const resources = controlPlaneCases.flatMap(name => desiredOf(recordedControlPlane(name)))
    for (const { resource, undo, why } of fixes) {
      const changed = resources.filter(
        ({ name, objects }) => name === resource && JSON.stringify(undo(objects)) !== JSON.stringify(objects),
      )
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
