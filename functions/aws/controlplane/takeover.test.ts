import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import { newSeed } from '../../../shared/control-plane/testing/seed.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { referenceTo, secretNameOf } from '../../../shared/resources/resources.ts'
import type { controlPlaneCases } from '../../../test/beside/beside.ts'
import { recordedControlPlane } from '../../../test/recorded/control-planes.ts'
import { wholeObjects } from '../../../test/recorded/digests.ts'
import { awsControlPlane } from './aws-control-plane.ts'
import { imageTable } from './images/image-table.ts'
import { desiredOf, recordedForm } from './testing/recorded-form.ts'

const { resource } = managedResourceKind
const controllers = 'extension-controlplane-seed'

type Case = (typeof controlPlaneCases)[number]

/** A seed in which another program may write ManagedResources: as YAML, in Secrets named after them. */
const recordedSeed = async (name: Case = 'default') => {
  const recorded = recordedControlPlane(name)
  const { input } = recorded
  const rendered = desiredOf(recorded).flatMap(({ name, objects }) => recordedForm(name, objects))
  const managedResources = Object.entries(recorded.managedResources).map(
    ([name, { objects, ...resource }]) =>
      [name, { ...resource, objects: wholeObjects(objects, rendered) }] as const,
  )
  const namespace = input.controlPlane.metadata.namespace ?? ''
  const seed = await newSeed({
    namespace,
    spec: input.controlPlane.spec,
    shoot: input.cluster.spec.shoot,
    provider: awsControlPlane(imageTable),
    credentials: { credentialsFile: '[default]\n' },
  })
  /** Writes the Secret in the format of Go's charts, and the reference to it. */
  const writeYaml = async (name: string, key: string, objects: readonly KubernetesObject[]) => {
    const text = objects.map(object => `---\n${stringify(object, { version: '1.1' })}`).join('')
    const data = { [key]: Buffer.from(text) }
    const secretName = secretNameOf({ name }, data)
    await seed.makeSecret(secretName, {
      type: 'Opaque',
      immutable: true,
      metadata: { labels: { 'resources.gardener.cloud/garbage-collectable-reference': 'true' } },
      data: { [key]: Buffer.from(text).toString('base64') },
    })
    return { annotations: referenceTo(secretName), secretRefs: [{ name: secretName }] }
  }
  const writesOf = async (step: () => Promise<unknown>) => {
    seed.requests.length = 0
    await step()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
    return seed.requests.filter(call => !/^(get|list) /.test(call))
  }
  return { seed, namespace, managedResources, writeYaml, writesOf }
}

/** The certificate and shoot access Secrets of the Go extension. Its signed certificates have other names. */
const secretsOfGo = async (name: Case): Promise<readonly KubernetesObject[]> => {
  const { seed } = await recordedSeed(name)
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

test.each([
  ['default', []],
  // Trellis fixes these defects of the Go extension in the shoot
  // (docs/contract/control-plane.md#defects-of-the-go-extension).
  ['efs', ['extension-controlplane-shoot']],
  ['lb', ['extension-controlplane-shoot']],
] as const)(
  'a takeover of a ControlPlane (%s) changes only controllers with certificates of another name',
  async (recording, fixed) => {
    const { seed, namespace, managedResources, writeYaml, writesOf } = await recordedSeed(recording)
    for (const { metadata, ...secret } of await secretsOfGo(recording))
      await seed.makeSecret(metadata.name, { ...secret, metadata })
    for (const [name, { spec, objects, keys = ['data'] }] of managedResources) {
      const { annotations, secretRefs } = await writeYaml(name, keys[0] ?? '', objects)
      await seed.kubernetes.create(resource, {
        apiVersion: 'resources.gardener.cloud/v1alpha1',
        kind: 'ManagedResource',
        metadata: { name, namespace, annotations },
        spec: { ...spec, secretRefs },
      })
    }
    await seed.resourceManager.work()
    const writes = (await writesOf(seed.step)).filter(call => !/ controlplanes/.test(call))
    const servers = ['cloud-controller-manager-server', 'aws-load-balancer-controller-webhook-service']
    expect(writes.map(call => call.replace(/-[0-9a-f]{8}$/, '')).toSorted()).toEqual(
      [
        // The new Secrets, and the mark on the old ones. Trellis removes those a day later.
        ...servers.flatMap(server => [`create secrets ${server}`, `patch secrets ${server}`]),
        ...[controllers, ...fixed].flatMap(name => [
          `create secrets ${name}`,
          `patch managedresources ${name}`,
        ]),
      ].toSorted(),
    )
  },
)

test('objects that another program has written in its own style cost no write', async () => {
  const { seed, namespace, managedResources, writeYaml, writesOf } = await recordedSeed()
  await seed.step()
  for (const [name, { keys = ['data'] }] of managedResources) {
    if ((await seed.managedResource(name)) === undefined) continue
    const { annotations, secretRefs } = await writeYaml(name, keys[0] ?? '', await seed.objectsOf(name))
    const before = (await seed.managedResource(name))?.metadata.annotations ?? {}
    const stale = Object.fromEntries(Object.keys(before).map(key => [key, null]))
    const patch = { metadata: { annotations: { ...stale, ...annotations } }, spec: { secretRefs } }
    await seed.kubernetes.patch(resource, { name, namespace }, patch)
  }
  await seed.resourceManager.work()
  await seed.reconcile()
  const own = ['patch controlplanes control-plane', 'patch controlplanes/status control-plane']
  expect(await writesOf(seed.step)).toEqual([...own, own[1]])
})
