import type { V1Container, V1EnvVarSource } from '@kubernetes/client-node'
import { MissingSourceError, type PodObjects } from './pod-objects.ts'

type Environment = Readonly<Record<string, string>>

export interface EnvironmentSources {
  /** Variables of the image and the cluster. The Pod's override them. */
  readonly base: Environment
  readonly objects: PodObjects
  field(path: string): string
  resource(reference: NonNullable<V1EnvVarSource['resourceFieldRef']>): string
}

/** Replaces `$(NAME)` by a known variable. An unknown one remains as it is; `$$` is an escaped dollar sign. */
export const expandVariables = (text: string, known: Environment): string =>
  text.replace(/\$\$|\$\(([^)]*)\)/g, (match, name?: string) =>
    name === undefined ? '$' : (known[name] ?? match),
  )

/**
 * Returns the environment of a container. Throws a `MissingSourceError` if an object or key is missing and not
 * optional.
 */
export const containerEnvironment = (
  { env = [], envFrom = [] }: Pick<V1Container, 'env' | 'envFrom'>,
  sources: EnvironmentSources,
): Environment => {
  const all: Record<string, string> = { ...sources.base }
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const reference = configMapRef ?? secretRef
    const kind = configMapRef ? 'ConfigMap' : 'Secret'
    const data = sources.objects.data(kind, reference?.name ?? '')
    if (!data && !reference?.optional) throw new MissingSourceError(`${kind} ${reference?.name} not found`)
    for (const [key, value] of Object.entries(data ?? {})) all[prefix + key] = value.toString()
  }
  for (const { name, value = '', valueFrom } of env) {
    const found = valueFrom ? sourceValue(valueFrom, sources) : expandVariables(value, all)
    if (found !== undefined) all[name] = found
  }
  return all
}

const sourceValue = (source: V1EnvVarSource, sources: EnvironmentSources): string | undefined => {
  if (source.fieldRef) return sources.field(source.fieldRef.fieldPath)
  if (source.resourceFieldRef) return sources.resource(source.resourceFieldRef)
  const kind = source.configMapKeyRef ? 'ConfigMap' : 'Secret'
  const reference = source.configMapKeyRef ?? source.secretKeyRef
  if (!reference) throw new Error(`this kubelet knows no source of variables in ${JSON.stringify(source)}`)
  const value = sources.objects.data(kind, reference.name ?? '')?.[reference.key]
  if (value === undefined && !reference.optional)
    throw new MissingSourceError(`${kind} ${reference.name} with key ${reference.key} not found`)
  return value?.toString()
}
