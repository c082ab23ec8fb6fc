import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { namespaces, secrets } from '../../shared/kubernetes/core-resources.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { webhookProcesses } from './webhook-process.ts'

const configurations = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].map(plural => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural,
  namespaced: false,
}))

const processes = webhookProcesses()
const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await processes.killAll()
  for (const close of undo.splice(0).reverse()) await close()
})

/** A cluster, and the kubeconfig file for a process. */
const startCluster = async (name: string) => {
  const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...resourceCrds()] })
  const { url, close } = await server.listen()
  const folder = await mkdtemp(join(tmpdir(), 'trellis-webhook-'))
  undo.push(async () => {
    server.close()
    await close()
    await rm(folder, { recursive: true })
  })
  const kubeconfig = join(folder, `${name}.yaml`)
  await writeFile(kubeconfig, server.kubeconfig(url))
  const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
  await kubernetes.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'trellis' },
  })
  const registered = async () =>
    (await Promise.all(configurations.map(resource => kubernetes.list(resource)))).flatMap(({ items }) =>
      items.map(({ metadata }) => metadata.name),
    )
  const secretsIn = async () =>
    (await kubernetes.list(secrets)).items.map(({ metadata }) => metadata.labels?.name ?? metadata.name)
  return { kubeconfig, registered, secretsIn }
}

test('admission of a garden is registered there, with certificates in the cluster of the process', async () => {
  const runtime = await startCluster('runtime')
  const garden = await startCluster('garden')
  const started = processes.start({
    TRELLIS_CLUSTER: 'garden',
    TRELLIS_KUBECONFIG: runtime.kubeconfig,
    GARDEN_KUBECONFIG: garden.kubeconfig,
    TRELLIS_LEADER_ELECTION: 'true',
    TRELLIS_SYNC_MS: '200',
    TRELLIS_DRAIN_ACCEPT_MS: '0',
    TRELLIS_DRAIN_LIMIT_MS: '1',
  })
  await started.ports
  const components = ['admission-aws', 'admission-calico', 'admission-local', 'admission-openstack']
  const [aws, calico, local, openstack] = components.map(component => `gardener-extension-${component}`)
  await expect.poll(garden.registered).toEqual([aws, local, openstack, aws, calico, local, openstack])
  expect(await runtime.registered()).toEqual([])
  expect(new Set(await runtime.secretsIn())).toEqual(
    new Set(
      components.flatMap(component => [
        `ca-${component}-webhook`,
        `ca-${component}-webhook-bundle`,
        `${component}-webhook-server`,
        `gardener-extension-${component}-webhook-paths`,
      ]),
    ),
  )
  expect(await garden.secretsIn()).toEqual([])
  started.terminate()
  expect(await started.exited).toEqual([0, null])
})

test('an unreadable file of images makes the start fail, and not a review', async () => {
  const { exited } = processes.start({ TRELLIS_IMAGEVECTOR_OVERWRITE: '/there/is/none.yaml' })
  expect(await exited).toEqual([2, null])
})
