import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { startSandbox } from '../../../cli/sandbox/start-sandbox.ts'
import { core } from '../../../functions/testing/function-seed.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { createSentences } from '../../narration/sentence.ts'
import { provider } from './provider.ts'
import type { ProvidedLocal } from './simulate.ts'

const resources: Readonly<Record<string, GroupVersionResource>> = {
  Namespace: core('namespaces', false),
  Secret: core('secrets'),
  Cluster: clusterKind.resource,
  Infrastructure: kinds.Infrastructure.resource,
  Bastion: kinds.Bastion.resource,
  SelfHostedShootExposure: kinds.SelfHostedShootExposure.resource,
}

const example = async (name: string): Promise<readonly KubernetesObject[]> => {
  const text = await readFile(new URL(`../../../examples/local/${name}.yaml`, import.meta.url), 'utf8')
  return parseAllDocuments(text).map(document => document.toJS() as KubernetesObject)
}

test('the examples complete in a sandbox and leave nothing after their deletion', async () => {
  const sentences: string[] = []
  const sentenceOf = createSentences()
  const sandbox = await startSandbox({
    providers: [provider],
    idleMs: 30_000,
    observe: event => {
      const sentence = sentenceOf(event)
      if (sentence !== undefined) sentences.push(`${sentence.part} ${sentence.text}`)
    },
  })
  const { kubernetes } = sandbox
  const cloud = sandbox.clouds.local as ProvidedLocal
  const resourceOf = ({ kind }: KubernetesObject): GroupVersionResource => {
    const resource = resources[kind]
    if (resource === undefined) throw new Error(`no resource of ${kind}`)
    return resource
  }
  const keyOf = ({ metadata: { name, namespace } }: KubernetesObject) => ({
    name,
    ...(namespace !== undefined && { namespace }),
  })
  const until = async (object: KubernetesObject, isSo: (live: KubernetesObject | undefined) => boolean) => {
    while (!isSo(await kubernetes.get(resourceOf(object), keyOf(object)))) await sleep(20)
  }
  const stateOf = (live: KubernetesObject | undefined) => Object(Object(live?.status).lastOperation).state
  try {
    const own: KubernetesObject[] = []
    for (const file of ['infrastructure', 'shoot-bastion', 'selfhostedshootexposure']) {
      const objects = await example(file)
      for (const object of objects) await kubernetes.create(resourceOf(object), object)
      const last = objects.at(-1)
      if (last === undefined) throw new Error(`${file} is empty`)
      await until(last, live => stateOf(live) === 'Succeeded')
      own.push(last)
    }
    expect(cloud.cluster.snapshot().map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Namespace infra-shoot--garden--local',
      'IPPool shoot-machine-pods-shoot--garden--local-ipv4',
      'NetworkPolicy bastion-cli-local',
      'NetworkPolicy provider-local-allow-machine-pods',
      'NetworkPolicy provider-local-deny-all',
      'Secret bastion-cli-local',
      'Pod bastion-cli-local',
      'Service bastion-cli-local',
      'Service exposure-local',
      'EndpointSlice exposure-local-ipv4',
    ])
    expect(sentences).toContainEqual(
      expect.stringMatching(/apply networkpolicies infra-shoot--garden--local\/provider-local-deny-all/),
    )
    for (const object of own.toReversed()) {
      const confirmed = { [annotations.deletionConfirmation]: 'true' }
      await kubernetes.patch(resourceOf(object), keyOf(object), { metadata: { annotations: confirmed } })
      await kubernetes.delete(resourceOf(object), keyOf(object))
      await until(object, live => live === undefined)
    }
    expect(cloud.cluster.snapshot()).toEqual([])
  } finally {
    await sandbox.close()
  }
})
