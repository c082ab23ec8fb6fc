import { parse } from 'yaml'
import * as z from 'zod'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { decodeStrictly, head, text } from '../../../../terraform-free-infra/aws/account/config/config.ts'

const workloadIdentityConfig = z.strictObject({ ...head('WorkloadIdentityConfig'), roleARN: text })

/** Returns the role in a WorkloadIdentityConfig, JSON or YAML. Empty if it names none. Throws a `CodedError`. */
export const readRole = (config: string): string => {
  try {
    return decodeStrictly(workloadIdentityConfig, parsed(config)).roleARN
  } catch (error) {
    throw new CodedError(`could not decode 'config' as WorkloadIdentityConfig: ${messageOf(error)}`, {
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    })
  }
}

/** In characters. A valid config has some hundreds. Keys are compared pairwise, which takes quadratic time. */
const longestConfig = 10_000

const parsed = (config: string): unknown => {
  if (config.length > longestConfig) throw new Error(`it has more than ${longestConfig} characters`)
  try {
    // Aliases have no use here, and could expand a small text into a huge one.
    return parse(config, { maxAliasCount: 0, logLevel: 'error' })
  } catch {
    // The message of the parser quotes the text.
    throw new Error('it is neither JSON nor YAML')
  }
}
