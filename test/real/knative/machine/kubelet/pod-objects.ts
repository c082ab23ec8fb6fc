import type { Kubernetes } from '../../../../../shared/kubernetes/kubernetes.ts'
import { coreResource, type Pod } from './pod.ts'

type SourceKind = 'ConfigMap' | 'Secret'

/** The config maps and secrets to which a Pod refers. */
export interface PodObjects {
  /** Returns the data of an object; undefined if it does not exist. */
  data(kind: SourceKind, name: string): Readonly<Record<string, Buffer>> | undefined
}

/** A missing object or key. The container waits until it exists. */
export class MissingSourceError extends Error {
  override readonly name = 'MissingSourceError'
}

const plurals = { ConfigMap: 'configmaps', Secret: 'secrets' } as const

const kindOf = (field: string): SourceKind | undefined => {
  if (/^configMap(?:KeyRef|Ref)?$/.test(field)) return 'ConfigMap'
  return /^secret(?:KeyRef|Ref)?$/.test(field) ? 'Secret' : undefined
}

/** Returns the references in any part of a Pod as `<kind>/<name>`. */
const referencesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, inner]) => {
    const kind = kindOf(field)
    const { name, secretName = name } = (kind ? (inner ?? {}) : {}) as { name?: string; secretName?: string }
    return kind && secretName !== undefined ? [`${kind}/${secretName}`] : referencesIn(inner)
  })
}

/** Reads all objects to which the Pod refers. */
export const readPodObjects = async (kubernetes: Pick<Kubernetes, 'get'>, pod: Pod): Promise<PodObjects> => {
  const { namespace } = pod.metadata
  const found = new Map<string, Readonly<Record<string, Buffer>>>()
  for (const reference of new Set(referencesIn(pod.spec))) {
    const [kind, name = ''] = reference.split('/') as [SourceKind, string?]
    const object = await kubernetes.get(coreResource(plurals[kind]), { namespace, name })
    if (!object) continue
    const { data = {}, binaryData = {} } = object as unknown as Record<string, Record<string, string>>
    const decode = (texts: Record<string, string>, encoding: BufferEncoding) =>
      Object.entries(texts).map(([key, text]) => [key, Buffer.from(text, encoding)] as const)
    found.set(
      reference,
      Object.fromEntries([
        ...decode(data, kind === 'Secret' ? 'base64' : 'utf8'),
        ...decode(binaryData, 'base64'),
      ]),
    )
  }
  return { data: (kind, name) => found.get(`${kind}/${name}`) }
}
