import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { KnativePrograms } from '../programs/knative-programs.ts'

/** The manifests of a Knative installation, in the modules. Those of networking and caching are links there. */
const files = {
  eventing: [
    'config/core/**/*.yaml',
    'config/brokers/mt-channel-broker/**/*.yaml',
    'config/channels/in-memory-channel/**/*.yaml',
    'third_party/eventing-integrations-latest/*-images.yaml',
  ],
  serving: ['config/core/**/*.yaml'],
  networking: ['config/*.yaml'],
  caching: ['config/image.yaml'],
} as const

/** The kinds to apply before all others, in this order. */
const order = [
  ['Namespace'],
  ['CustomResourceDefinition'],
  ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ['ConfigMap', 'Secret'],
  ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
] as const

/** Parts that no manifest of Trellis uses. Nothing here measures the CPU of Pods or issues certificates. */
const isUnused = ({ kind, metadata }: KubernetesObject): boolean =>
  ['Certificate', 'HorizontalPodAutoscaler'].includes(kind) ||
  (['Deployment', 'StatefulSet', 'Service'].includes(kind) &&
    ['job-sink', 'request-reply'].includes(metadata.name))

/** Data to set in a ConfigMap: `knative-serving/config-network` → `{ 'ingress-class': … }`. */
export type KnativeSettings = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Returns the objects of a Knative installation in groups. Apply each group after the previous one. */
export const knativeManifests = async (
  modules: KnativePrograms['modules'],
  settings: KnativeSettings,
): Promise<readonly (readonly KubernetesObject[])[]> => {
  const objects: KubernetesObject[] = []
  for (const [module, patterns] of Object.entries(files) as [keyof typeof files, readonly string[]][])
    for await (const name of glob(patterns, { cwd: modules[module] }))
      objects.push(...objectsOf(await readFile(join(modules[module], name), 'utf8')))
  const wanted = objects.filter(object => !isUnused(object)).map(object => withSettings(object, settings))
  const first: readonly string[] = order.flat()
  return [
    ...order.map(kinds => wanted.filter(({ kind }) => (kinds as readonly string[]).includes(kind))),
    wanted.filter(({ kind }) => !first.includes(kind)),
  ]
}

const objectsOf = (text: string): readonly KubernetesObject[] =>
  parseAllDocuments(text, { uniqueKeys: false }).flatMap(
    document => (document.toJS() as KubernetesObject | null) ?? [],
  )

const withSettings = (object: KubernetesObject, settings: KnativeSettings): KubernetesObject => {
  const { namespace = '', name } = object.metadata
  const set = object.kind === 'ConfigMap' ? settings[`${namespace}/${name}`] : undefined
  return set === undefined ? object : { ...object, data: { ...(object.data as object | undefined), ...set } }
}
