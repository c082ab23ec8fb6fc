import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import { newSeed } from '../../../shared/control-plane/testing/seed.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { referenceTo, secretNameOf } from '../../../shared/resources/resources.ts'
import { recordedOpenStackControlPlane } from '../../../test/recorded/control-planes.ts'
import { digested } from '../../../test/recorded/digests.ts'
import { imageTable } from './images/image-table.ts'
import { openstackControlPlane } from './openstack-control-plane.ts'
import {
  credentialsOf,
  defective,
  desiredOf,
  type RecordedCase,
  recordedForm,
} from './testing/recorded-form.ts'

const { resource } = managedResourceKind

/** The whole objects of the Go extension. Throws if one of them is not as recorded. */
const objectsOfGo = (name: RecordedCase, managedResource: string): readonly KubernetesObject[] => {
  const recorded = recordedOpenStackControlPlane(name).managedResources[managedResource]?.objects ?? []
  const digests = new Set(recorded.map(({ sha256 }) => sha256))
  const desired = desiredOf(name).find(one => one.name === managedResource)?.objects ?? []
  return defective(managedResource, desired).map(object => {
    const [form] = recordedForm([object])
    if (form === undefined || !digests.has(digested(form).sha256))
      throw new Error(`${object.kind} ${object.metadata.name} differs from the recorded one`)
    return object
  })
}

const newSeedOf = async (name: RecordedCase) => {
  const { controlPlane, cluster } = recordedOpenStackControlPlane(name).input
  const namespace = controlPlane.metadata.namespace ?? ''
  const seed = await newSeed({
    namespace,
    spec: controlPlane.spec,
    shoot: cluster.spec.shoot,
    cloudProfile: cluster.spec.cloudProfile,
    provider: openstackControlPlane(imageTable),
    credentials: credentialsOf(name),
  })
  return { seed, namespace }
}

/** The certificate and shoot access Secrets of the Go extension. Its signed certificates have other names. */
const secretsOfGo = async (name: RecordedCase): Promise<readonly KubernetesObject[]> => {
  const { seed } = await newSeedOf(name)
  await seed.step()
  return (await seed.secrets()).flatMap(({ metadata: { name, labels = {}, annotations }, ...secret }) => {
    const isSigned = 'checksum-of-signing-ca' in labels
    const metadata = isSigned
      ? { name: name.replace(/[0-9a-f]{8}$/, 'c0ffee00'), labels: { ...labels, 'checksum-of-config': '1' } }
      : { name, labels, ...(annotations && { annotations }) }
    const isOfGo = labels['managed-by'] === 'secrets-manager' || name.startsWith('shoot-access-')
    return isOfGo ? [{ ...secret, metadata }] : []
  })
}

test.each<[RecordedCase, readonly string[]]>([
  ['default', []],
  ['application-credential', []],
  ['manila', []],
  ['profile-options', []],
  // A class keeps its own network (D20).
  ['load-balancer-classes', ['extension-controlplane-configuration-seed']],
])(
  'a takeover of a ControlPlane (%s) changes only controllers with certificates of another name',
  async (name, fixed) => {
    const { seed, namespace } = await newSeedOf(name)
    for (const { metadata, ...secret } of await secretsOfGo(name))
      await seed.makeSecret(metadata.name, { ...secret, metadata })
    const { managedResources } = recordedOpenStackControlPlane(name)
    for (const [managedResource, { spec, keys = [] }] of Object.entries(managedResources)) {
      const text = objectsOfGo(name, managedResource)
        .map(object => `---\n${stringify(object, { version: '1.1' })}`)
        .join('')
      const [key = ''] = keys
      const secretName = secretNameOf({ name: managedResource }, { [key]: Buffer.from(text) })
      await seed.makeSecret(secretName, {
        type: 'Opaque',
        immutable: true,
        metadata: { labels: { 'resources.gardener.cloud/garbage-collectable-reference': 'true' } },
        data: { [key]: Buffer.from(text).toString('base64') },
      })
      await seed.kubernetes.create(resource, {
        apiVersion: 'resources.gardener.cloud/v1alpha1',
        kind: 'ManagedResource',
        metadata: { name: managedResource, namespace, annotations: referenceTo(secretName) },
        spec: { ...spec, secretRefs: [{ name: secretName }] },
      })
    }
    await seed.resourceManager.work()
    seed.requests.length = 0
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
    const writes = seed.requests.filter(call => !/^(get|list) | controlplanes/.test(call))
    expect(writes.map(call => call.replace(/-[0-9a-f]{8}$/, '')).toSorted()).toEqual(
      [
        // The new Secret, and the mark on the old one. Trellis removes it a day later.
        'create secrets cloud-controller-manager-server',
        'patch secrets cloud-controller-manager-server',
        ...['extension-controlplane-seed', ...fixed].flatMap(one => [
          `create secrets ${one}`,
          `patch managedresources ${one}`,
        ]),
      ].toSorted(),
    )
  },
)
