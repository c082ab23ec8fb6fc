import type { Cluster } from '../../contract/objects.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { NotedWrite } from '../../lifecycle/lifecycle.ts'
import { caRotationOf, secretLabels, unusedSince } from '../../secrets-manager/secrets-manager.ts'
import { isAccessSecret } from '../../shoot/shoot.ts'
import type { ControlPlaneAction } from './control-plane-plan.ts'

export interface PlannedSecrets {
  /** All writes of the plan. */
  readonly writes: readonly NotedWrite[]
  readonly cluster: Cluster
  /** Secrets of the namespace before the plan. */
  readonly present: readonly KubernetesObject[]
}

/**
 * Describes writes to Secrets. The action of the first write to a Secret of a purpose covers all Secrets of that
 * purpose.
 */
export const secretActions = ({
  writes,
  cluster,
  present,
}: PlannedSecrets): ((write: NotedWrite) => readonly ControlPlaneAction[]) => {
  const ofSecrets = writes.filter(({ resource }) => resource.plural === secrets.plural)
  const generations = new Map(
    Object.entries(Object.groupBy(present, ({ metadata }) => metadata.labels?.[secretLabels.name] ?? '')),
  )
  const grouped = new Set<string>()
  const once = (
    purpose: Exclude<SecretPurpose, 'generated'>,
    { verb }: NotedWrite,
  ): readonly ControlPlaneAction[] => {
    const id = `${verb} ${purpose}`
    if (grouped.has(id)) return []
    grouped.add(id)
    const names = ofSecrets.flatMap(other =>
      other.verb === verb && purposeOf(other, present) === purpose ? [other.key.name] : [],
    )
    // The ManagedResource describes its manifest Secrets while it exists.
    if (purpose === 'manifests' && verb !== 'delete') return []
    const [of, one] = [descriptions[purpose], names.length === 1]
    const count = one ? 'the Secret' : `${names.length} Secrets`
    return [
      { kind: kindOf[verb], sentence: `${kindOf[verb]} ${count} with ${of}`, notes: names, objects: [] },
    ]
  }
  return write => {
    const purpose = purposeOf(write, present)
    if (purpose !== 'generated') return once(purpose, write)
    const sentence = generatedSentence(write, { cluster, present, generations })
    return sentence === undefined ? [] : [{ kind: kindOf[write.verb], notes: [], objects: [], ...sentence }]
  }
}

const kindOf = { create: 'create', patch: 'update', apply: 'update', delete: 'delete' } as const

type SecretPurpose = 'generated' | 'access' | 'manifests'

const descriptions: Readonly<Record<Exclude<SecretPurpose, 'generated'>, string>> = {
  access: 'tokens for the API server of the shoot',
  manifests: 'manifests of deleted ManagedResources',
}

const purposeOf = (write: NotedWrite, present: readonly KubernetesObject[]): SecretPurpose => {
  const object = objectOf(write, present)
  if (object?.metadata.labels?.[secretLabels.name] !== undefined) return 'generated'
  return object !== undefined && isAccessSecret(object) ? 'access' : 'manifests'
}

const objectOf = (write: NotedWrite, present: readonly KubernetesObject[]): KubernetesObject | undefined =>
  write.verb === 'create'
    ? write.object
    : (write.present ?? present.find(({ metadata }) => metadata.name === write.key.name))

interface KnownSecrets {
  readonly cluster: Cluster
  readonly present: readonly KubernetesObject[]
  /** By config name. */
  readonly generations: ReadonlyMap<string, readonly KubernetesObject[] | undefined>
}

const generatedSentence = (
  write: NotedWrite,
  { cluster, present, generations }: KnownSecrets,
): { readonly sentence: string; readonly notes?: readonly string[] } | undefined => {
  const object = objectOf(write, present)
  const labels = object?.metadata.labels ?? {}
  const config = labels[secretLabels.name] ?? ''
  const what = describe(config, object)
  switch (write.verb) {
    case 'delete':
      return { sentence: `delete ${what}`, notes: [write.key.name] }
    case 'patch': {
      const { annotations } = Object(Object(write.patch).metadata)
      return Object(annotations)[unusedSince]
        ? {
            sentence: `mark ${what} as unused`,
            notes: [`${write.key.name}: a reconciliation in 10 minutes or later deletes it`],
          }
        : { sentence: `repair the labels of ${what}`, notes: [write.key.name] }
    }
    // A secrets manager creates and patches Secrets.
    case 'apply':
      return { sentence: `apply ${what}`, notes: [write.key.name] }
    case 'create': {
      const before = (generations.get(config) ?? []).toSorted(
        (a, b) => Number(labelOf(b, 'rotation')) - Number(labelOf(a, 'rotation')),
      )[0]
      return before === undefined || labels[secretLabels.bundleFor] !== undefined
        ? { sentence: `create ${what}` }
        : { sentence: `recreate ${what}`, notes: [reason(labels, before, cluster)] }
    }
  }
}

const labelOf = ({ metadata }: KubernetesObject, label: keyof typeof secretLabels): string =>
  metadata.labels?.[secretLabels[label]] ?? ''

const describe = (config: string, object: KubernetesObject | undefined): string => {
  const labels = object?.metadata.labels ?? {}
  const bundleFor = labels[secretLabels.bundleFor]
  if (bundleFor !== undefined) return `the certificate bundle of the CA ${bundleFor}`
  if (Object(object?.data).password !== undefined) return `the password ${config}`
  return labels[secretLabels.caChecksum] === undefined ? `the CA ${config}` : `the certificate ${config}`
}

/** Returns the reason for a new generation of a Secret. */
const reason = (
  labels: Readonly<Record<string, string>>,
  before: KubernetesObject,
  cluster: Cluster,
): string => {
  if (labels[secretLabels.rotation] !== labelOf(before, 'rotation')) {
    const startedAt = caRotationOf(cluster)?.startedAt
    const isRotation =
      labels[secretLabels.caChecksum] === undefined &&
      startedAt !== undefined &&
      labels[secretLabels.rotation] === String(Math.floor(startedAt / 1000))
    return isRotation
      ? `the CA rotation of the shoot started at ${timeOf(labels[secretLabels.rotation])}`
      : `the previous one is valid until ${timeOf(labelOf(before, 'validUntil'))}`
  }
  if (labels[secretLabels.configChecksum] !== labelOf(before, 'configChecksum'))
    return 'its names or its usage differ'
  return labels[secretLabels.caChecksum] === labelOf(before, 'caChecksum')
    ? 'the previous one is missing'
    : 'the previous one was signed by another CA'
}

const timeOf = (secondsText: string | undefined): string => {
  const time = Number(secondsText) * 1000
  return Number.isFinite(time) && time > 0
    ? new Date(time).toISOString().slice(0, 16).replace('T', ' ')
    : 'no time'
}
