import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { referenceTo, secretNameOf } from '../../../shared/resources/resources.ts'
import { networkCases } from '../../../test/beside/beside.ts'
import { wholeObjects } from '../../../test/recorded/digests.ts'
import { recordedNetwork } from '../../../test/recorded/networks.ts'
import { crds } from './crds/crds.ts'
import { resourceTraits } from './desired-network.ts'
import { dashboards } from './monitoring/dashboards.ts'
import { configMaps, scrapeConfigs } from './monitoring/resources.ts'
import { newSeed } from './testing/seed.ts'

const own = ['patch networks network', 'patch networks/status network', 'patch networks/status network']

/** A seed in which the Go extension created the recorded Network: as YAML, in a Secret with another checksum. */
const takenSeed = async (name: (typeof networkCases)[number]) => {
  const { input, steps } = recordedNetwork(name)
  const [created] = steps
  if (created?.managedResource === undefined) throw new Error('no ManagedResource is recorded')
  const options = {
    namespace: input.object.metadata.namespace ?? '',
    spec: input.object.spec,
    shoot: input.cluster.spec.shoot,
  }
  const rendered = await newSeed(options)
  await rendered.step()
  const recorded = wholeObjects(created.managedResource.objects, await rendered.objects())
  const seed = await newSeed(options)
  const { namespace, kubernetes } = seed
  const whole = new Map(crds({ hasMultus: false }).map(crd => [crd.metadata.name, crd]))
  const objects = recorded.map(object => whole.get(object.metadata.name) ?? object)
  const text = objects
    .map(object => `---\n# Source: a template\n${stringify(object, { version: '1.1' })}`)
    .join('\n')
  const data = { 'config.yaml': Buffer.from(text) }
  const secretName = secretNameOf(resourceTraits, data)
  await kubernetes.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    immutable: true,
    metadata: {
      name: secretName,
      namespace,
      labels: { 'resources.gardener.cloud/garbage-collectable-reference': 'true' },
    },
    data: { 'config.yaml': data['config.yaml'].toString('base64') },
  })
  const { metadata, spec } = created.managedResource.resource
  await kubernetes.create(managedResourceKind.resource, {
    apiVersion: 'resources.gardener.cloud/v1alpha1',
    kind: 'ManagedResource',
    metadata: { ...metadata, namespace, annotations: referenceTo(secretName) },
    spec: { ...spec, secretRefs: [{ name: secretName }] },
  })
  for (const object of created.seedObjects) {
    const at = { metadata: { ...object.metadata, namespace } }
    if (object.kind === 'ConfigMap') await kubernetes.create(configMaps, { ...dashboards(namespace), ...at })
    else
      await kubernetes.create(scrapeConfigs, {
        ...object,
        apiVersion: 'monitoring.coreos.com/v1alpha1',
        ...at,
      } as KubernetesObject)
  }
  await seed.resourceManager.work()
  return { seed, secretName }
}

test.each(networkCases)(
  'a takeover of %s leaves the objects of the Go extension, except one that watches nothing',
  async name => {
    const { seed, secretName } = await takenSeed(name)
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
    // S11: BIRD has no exporter here.
    expect(seed.writes()).toEqual([own[0], own[1], 'delete scrapeconfigs shoot-calico-bird', own[2]])
    expect(await seed.secretNames()).toEqual([secretName])
    await seed.ask('reconcile')
    seed.requests.length = 0
    await seed.step()
    expect(seed.writes()).toEqual(own)
  },
)
