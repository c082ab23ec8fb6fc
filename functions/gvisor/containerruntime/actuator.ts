import * as z from 'zod'
import type { ConditionUpdate } from '../../../shared/contract/conditions.ts'
import { type CodedError, configurationProblem } from '../../../shared/contract/errors.ts'
import type { ContainerRuntime } from '../../../shared/contract/objects.ts'
import { decodeStrictly } from '../../../shared/decode/decode-strictly.ts'
import { findImage, type ImageSource } from '../../../shared/images/images.ts'
import type { Actuator, StepContext, StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import {
  type CompareManifests,
  ensureManagedResources,
  readManagedResource,
  rememberingComparison,
} from '../../../shared/resources/resources.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { readPool } from './config/read-pool.ts'
import { knownFlags, quotedFlag, type RunscFlags, readFlags } from './config/runsc-flags.ts'
import { installationImage } from './images.ts'
import { commonResource, installationResource } from './managed-resources.ts'
import { removeRuntime, runtimeOrphans } from './remove.ts'

export interface GvisorOptions {
  /** `imageTable` with the overrides of an operator. */
  readonly images: readonly ImageSource[]
  /** Repository of test images. Empty if there is none. */
  readonly testRepository: string
}

/**
 * Type of the condition that exists while flags without an effect are set. gardenlet ignores types that it does not
 * know.
 */
const ignoredFlagsType = 'FlagsIgnored'

/**
 * gVisor on the nodes of a pool (docs/contract/small-kinds.md#containerruntime): objects that the shoot has once, and a
 * DaemonSet for the pool. Restore is the same as reconcile. Nothing waits for the nodes, because they join and leave.
 */
export const gvisorActuator = (options: GvisorOptions): Actuator<ContainerRuntime> => {
  const compare = rememberingComparison()
  return {
    check: ({ object }) => {
      readConfig(object.spec.providerConfig)
      readPool(object)
    },
    reconcile: step => reconcileRuntime(options, compare, step),
    remove: step => removeRuntime(step, 'delete'),
    forceRemove: step => removeRuntime(step, 'force'),
    orphans: ({ object }) => runtimeOrphans(object),
    migrate: step => removeRuntime(step, 'migrate'),
  }
}

const reconcileRuntime = async (
  options: GvisorOptions,
  compare: CompareManifests,
  step: StepContext<ContainerRuntime>,
): Promise<StepResult> => {
  const { object, kubernetes } = step
  const { namespace = '' } = object.metadata
  const config = readConfig(object.spec.providerConfig)
  const installation = {
    pool: readPool(object),
    configLines: config.flags.lines,
    image: imageOf(options, config, step),
  }
  const desired = [commonResource(namespace), installationResource(namespace, installation)]
  const observed = await Promise.all(desired.map(one => readManagedResource(kubernetes, one)))
  const written = await ensureManagedResources(
    step,
    desired,
    new Map(observed.flatMap(one => (one === undefined ? [] : [[one.metadata.name, one]]))),
    compare,
  )
  if (written.kind === 'waiting') return written.result
  return { kind: 'done', conditions: { [ignoredFlagsType]: ignoredFlags(config) } }
}

const imageOf = (
  { images, testRepository }: GvisorOptions,
  { testImageTag }: GvisorConfig,
  { cluster }: StepContext<ContainerRuntime>,
): string => {
  if (testRepository !== '' && testImageTag !== undefined) return `${testRepository}:${testImageTag}`
  return findImage(images, installationImage, cluster?.spec.shoot.spec?.kubernetes?.version ?? '')
}

/** The maximal number of flags named in the condition. */
const mostListed = 5

const ignoredFlags = ({ flags: { unknown } }: GvisorConfig): ConditionUpdate | undefined => {
  if (unknown.length === 0) return undefined
  const listed = unknown.slice(0, mostListed).map(quotedFlag).join(', ')
  const others = unknown.length > mostListed ? ` and ${unknown.length - mostListed} more` : ''
  return {
    status: 'True',
    reason: 'UnknownFlags',
    message: `configFlags ${listed}${others} are unknown and have no effect. Known flags are ${knownFlags.join(', ')}.`,
  }
}

/** The `GVisorConfiguration` in `spec.providerConfig` (docs/contract/small-kinds.md#containerruntime). */
export const gvisorConfigSchema = z.strictObject({
  apiVersion: z.literal('gvisor.runtime.extensions.config.gardener.cloud/v1alpha1'),
  kind: z.literal('GVisorConfiguration'),
  configFlags: z.record(z.string(), z.string()).nullish(),
  // The format of a tag in a registry.
  testImageTag: z
    .string()
    .regex(/^[\w][\w.-]{0,127}$/, 'expected an image tag')
    .or(z.literal(''))
    .nullish(),
})

interface GvisorConfig {
  readonly flags: RunscFlags
  readonly testImageTag: string | undefined
}

/** Reads `spec.providerConfig`. Throws a `CodedError` that says what the user has to change. */
const readConfig = (providerConfig: unknown): GvisorConfig => {
  if (providerConfig === undefined || providerConfig === null)
    return { flags: readFlags({}), testImageTag: undefined }
  const { configFlags, testImageTag } = decoded(providerConfig)
  const flags = readFlags(configFlags ?? {})
  if (flags.problems.length > 0) throw configProblem(flags.problems.join('; '))
  return { flags, testImageTag: testImageTag || undefined }
}

const decoded = (providerConfig: unknown): z.output<typeof gvisorConfigSchema> => {
  try {
    return decodeStrictly(gvisorConfigSchema, providerConfig)
  } catch (error) {
    throw configProblem(messageOf(error), error)
  }
}

const configProblem = (message: string, cause?: unknown): CodedError =>
  configurationProblem(`could not decode provider config: ${message}`, cause)
