import { minorVersionOf } from '../../../../../shared/contract/minor-version-of.ts'
import { type HashInput, isInPlace, type MachineClassContent } from '../../../../../shared/worker/worker.ts'
import { apiVersion } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import type { MachinePool } from '../request.ts'
import { configFields } from './config-fields.ts'
import { configText } from './config-text.ts'
import type { Field, Path } from './field.ts'
import { dataVolumeFields, rootFields } from './volume-fields.ts'

/**
 * Returns the hash inputs of a pool's class, except the Secret of the node agent, in this order
 * (docs/contract/workers-aws.md#hash). Throws an Error for a version that cannot be parsed.
 *
 * @param config the decoded `providerConfig`; undefined if the pool has none
 */
export const hashInputsOf = (pool: MachinePool, config: WorkerConfig | undefined): readonly HashInput[] => {
  if (isInPlace(pool)) return rootFields(pool)
  const byFields = isHashedByFields(pool.kubernetesVersion)
  const volumes = [...rootFields(pool), ...dataVolumeFields(pool)]
  const fields = configFields(config ?? emptyConfig, pool)
  return [...volumes, ...(byFields ? fields : [textInput(pool, config, fields)])]
}

/** The text is hard to read, and a class does not contain it, so its fields are shown instead. */
const textInput = (
  { providerConfig }: MachinePool,
  config: WorkerConfig | undefined,
  fields: readonly Field[],
): HashInput => ({
  name: 'providerConfig',
  datum: config && configText(providerConfig, config),
  observed: content => formerText(providerConfig, fields, content),
  parts: fields,
})

/** For a pool without a WorkerConfig. Its class may show that it had one. */
const emptyConfig: WorkerConfig = {
  apiVersion,
  kind: 'WorkerConfig',
  dataVolumes: [],
  networkInterfaces: [],
}

/** From this minor version of Kubernetes on, pools are hashed by the fields of their WorkerConfig. */
const fieldsFrom = { major: 1, minor: 34 }

/**
 * Returns true if a pool of this version is hashed by fields. Pre-releases of 1.34 are; a pool without a version is
 * not. Throws an Error for an invalid version.
 */
const isHashedByFields = (kubernetesVersion: string | undefined): boolean => {
  if (!kubernetesVersion) return false
  const { major, minor } = minorVersionOf(kubernetesVersion)
  return major === fieldsFrom.major ? minor >= fieldsFrom.minor : major > fieldsFrom.major
}

/** A mutable part of a WorkerConfig as JSON. */
type ConfigPart = Record<string | number, unknown>

/**
 * Returns the text that a class was probably hashed by: that of the current WorkerConfig, with the fields of the class.
 * Returns undefined if there is no WorkerConfig now and the class shows none. The hash proves whether the text is
 * right.
 */
const formerText = (
  providerConfig: object | undefined,
  fields: readonly Field[],
  content: MachineClassContent,
): string | undefined => {
  const changed = fields.flatMap(({ at, datum, observed }) => {
    const found = observed(content)
    return at === undefined || found === datum ? [] : [{ at, found }]
  })
  if (providerConfig === undefined && changed.length === 0) return undefined
  const former = structuredClone(providerConfig ?? { apiVersion, kind: 'WorkerConfig' }) as ConfigPart
  for (const { at, found } of changed) put(former, at, found)
  return configText(former, former)
}

/** Writes numbers as numbers: no text of a WorkerConfig looks like one. Also removes an object that becomes empty. */
const put = (object: ConfigPart, [name, ...rest]: Path, value: string | undefined): void => {
  if (name === undefined) return
  if (rest.length === 0) {
    if (value === undefined) delete object[name]
    else object[name] = /^\d+$/.test(value) ? Number(value) : value
    return
  }
  object[name] ??= {}
  const inner = object[name] as ConfigPart
  put(inner, rest, value)
  if (!Array.isArray(inner) && Object.keys(inner).length === 0) delete object[name]
}
