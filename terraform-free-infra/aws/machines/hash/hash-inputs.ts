import type { HashInput } from '../../../../shared/worker/worker.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import type { WorkerPool } from '../request.ts'
import { configFields } from './config-fields.ts'
import { configText } from './config-text.ts'
import type { Field } from './field.ts'
import { isHashedByFields } from './version.ts'
import { dataVolumeFields, rootFields } from './volume-fields.ts'

/**
 * What the class of a pool is hashed by beside the Secret of the node agent, in this order
 * (docs/contract/workers-aws.md#hash). Throws an Error for a version that cannot be read.
 *
 * @param config the decoded `providerConfig`; undefined: the pool has none
 */
export const hashInputsOf = (pool: WorkerPool, config: WorkerConfig | undefined): readonly HashInput[] => {
  if (isInPlace(pool)) return inputsOf(rootFields(pool))
  const byFields = isHashedByFields(pool.kubernetesVersion)
  return [
    ...inputsOf(rootFields(pool)),
    ...inputsOf(dataVolumeFields(pool)),
    ...(config === undefined
      ? []
      : byFields
        ? inputsOf(configFields(config, pool))
        : [{ name: 'providerConfig', datum: configText(pool.providerConfig, hasVirtualCapacity(config)) }]),
  ]
}

const isInPlace = ({ updateStrategy }: WorkerPool): boolean =>
  updateStrategy === 'AutoInPlaceUpdate' || updateStrategy === 'ManualInPlaceUpdate'

const hasVirtualCapacity = ({ nodeTemplate }: WorkerConfig): boolean =>
  nodeTemplate?.virtualCapacity !== undefined

const inputsOf = (fields: readonly Field[]): readonly HashInput[] =>
  fields.flatMap(({ name, datum, observed }) => (datum === undefined ? [] : [{ name, datum, observed }]))
