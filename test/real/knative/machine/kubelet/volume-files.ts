import type { V1KeyToPath, V1Volume, V1VolumeProjection } from '@kubernetes/client-node'
import { MissingSourceError, type PodObjects } from './pod-objects.ts'

export interface VolumeFile {
  /** Relative to the volume. */
  readonly path: string
  readonly content: Buffer | string
  readonly mode: number
}

export interface VolumeSources {
  readonly objects: PodObjects
  field(path: string): string
  /** Returns a token of the Pod's service account. Default audience: the API server's. */
  token(audience: string | undefined, expirationSeconds: number): Promise<string>
}

const usualMode = 0o644

/** Returns the files of a volume. Throws a `MissingSourceError` while an object is missing that is not optional. */
export const volumeFiles = async (
  { name, emptyDir, configMap, secret, downwardAPI, projected }: V1Volume,
  sources: VolumeSources,
): Promise<readonly VolumeFile[]> => {
  if (emptyDir) return []
  const { secretName, ...ofSecret } = secret ?? {}
  const one: V1VolumeProjection = {
    ...(configMap && { configMap }),
    ...(secret && { secret: { ...ofSecret, ...(secretName !== undefined && { name: secretName }) } }),
    ...(downwardAPI && { downwardAPI }),
  }
  const all = projected?.sources ?? (Object.keys(one).length > 0 ? [one] : [])
  if (all.length === 0 && !projected) throw new Error(`this kubelet cannot provide the volume ${name}`)
  const mode =
    (projected ?? configMap ?? secret ?? downwardAPI)?.['defaultMode' as never] ?? (usualMode as number)
  return (await Promise.all(all.map(source => projectedFiles(source, mode, sources)))).flat()
}

const projectedFiles = async (
  { configMap, secret, downwardAPI, serviceAccountToken }: V1VolumeProjection,
  mode: number,
  sources: VolumeSources,
): Promise<readonly VolumeFile[]> => {
  if (serviceAccountToken) {
    const { path, audience, expirationSeconds = 3600 } = serviceAccountToken
    return [{ path, content: await sources.token(audience, expirationSeconds), mode }]
  }
  if (downwardAPI) {
    return (downwardAPI.items ?? []).map(item => ({
      path: item.path,
      content: sources.field(item.fieldRef?.fieldPath ?? ''),
      mode: item.mode ?? mode,
    }))
  }
  const kind = configMap ? 'ConfigMap' : 'Secret'
  const reference = configMap ?? secret
  const data = sources.objects.data(kind, reference?.name ?? '')
  if (!data) {
    if (reference?.optional) return []
    throw new MissingSourceError(`${kind} ${reference?.name} not found`)
  }
  const items: readonly V1KeyToPath[] = reference?.items ?? Object.keys(data).map(key => ({ key, path: key }))
  return items.flatMap(({ key, path, mode: ownMode }) => {
    const content = data[key]
    if (content !== undefined) return [{ path, content, mode: ownMode ?? mode }]
    if (reference?.optional) return []
    throw new MissingSourceError(`${kind} ${reference?.name} has no key ${key}`)
  })
}
