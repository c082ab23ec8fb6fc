import { parse } from 'yaml'
import * as z from 'zod'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/contract/message-of.ts'
import { decodeStrictly, head, text } from '../../../../terraform-free-infra/aws/config/config.ts'

const workloadIdentityConfig = z.strictObject({ ...head('WorkloadIdentityConfig'), roleARN: text })

/** The role in a WorkloadIdentityConfig, JSON or YAML; empty where it names none. Throws a `CodedError`. */
export const readRole = (config: string): string => {
  try {
    return decodeStrictly(workloadIdentityConfig, parsed(config)).roleARN
  } catch (error) {
    throw new CodedError(`could not decode 'config' as WorkloadIdentityConfig: ${messageOf(error)}`, {
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    })
  }
}

const parsed = (config: string): unknown => {
  try {
    // No alias has a use here, and many of them make much of little.
    return parse(config, { maxAliasCount: 0, logLevel: 'error' })
  } catch {
    // Its message quotes the text.
    throw new Error('it is neither JSON nor YAML')
  }
}
