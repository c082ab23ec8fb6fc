import * as z from 'zod'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { decodeStrictly } from '../../../../shared/decode/decode-strictly.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { type RunscFlags, readFlags } from './runsc-flags.ts'

const schema = z.strictObject({
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

export interface GvisorConfig {
  readonly flags: RunscFlags
  readonly testImageTag: string | undefined
}

/** Reads `spec.providerConfig`. Throws a `CodedError` that says what the user has to change. */
export const readConfig = (providerConfig: unknown): GvisorConfig => {
  if (providerConfig === undefined || providerConfig === null)
    return { flags: readFlags({}), testImageTag: undefined }
  const { configFlags, testImageTag } = decoded(providerConfig)
  const flags = readFlags(configFlags ?? {})
  if (flags.problems.length > 0) throw configProblem(flags.problems.join('; '))
  return { flags, testImageTag: testImageTag || undefined }
}

const decoded = (providerConfig: unknown): z.output<typeof schema> => {
  try {
    return decodeStrictly(schema, providerConfig)
  } catch (error) {
    throw configProblem(messageOf(error), error)
  }
}

const configProblem = (message: string, cause?: unknown): CodedError =>
  new CodedError(`could not decode provider config: ${message}`, {
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    cause,
  })
