import { CodedError } from '../../../shared/contract/errors.ts'
import { formatProblems, type Problem } from '../../../shared/contract/problems.ts'
import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import type { InfrastructureConfig } from '../../../terraform-free-infra/aws/infrastructure/config/config.ts'
import { decodeConfig } from '../../../terraform-free-infra/aws/infrastructure/config/decode.ts'

/**
 * The config of an object. Throws a `CodedError` that names the fields.
 *
 * @param options.lenient passes over unknown fields: for a deletion, to which they do not matter
 */
export const readConfig = (
  { spec }: Infrastructure,
  options: { readonly lenient?: boolean } = {},
): InfrastructureConfig => {
  const decoded = decodeConfig(spec.providerConfig, options)
  if (!decoded.ok) throw configError(decoded.problems)
  return decoded.config
}

/** Throws when there are problems; their paths begin at the config. */
export const refuseConfig = (problems: readonly Problem[]): void => {
  if (problems.length > 0) throw configError(problems)
}

const configError = (problems: readonly Problem[]): CodedError =>
  refusal(
    problems.map(({ path, message }) => ({
      path: path === '' ? 'spec.providerConfig' : `spec.providerConfig.${path}`,
      message,
    })),
  )

/** Problems with whole paths as an error. */
export const refusal = (problems: readonly Problem[]): CodedError =>
  new CodedError(formatProblems(problems), { codes: ['ERR_CONFIGURATION_PROBLEM'] })
