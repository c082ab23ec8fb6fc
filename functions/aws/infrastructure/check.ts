import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import type { Secret } from '../../../shared/lifecycle/actuator.ts'
import { readCredentials } from '../../../terraform-free-infra/aws/credentials/read-credentials.ts'
import { formats, formProblems } from '../../../terraform-free-infra/aws/infrastructure/config/formats.ts'
import { configProblems } from '../../../terraform-free-infra/aws/infrastructure/config/problems/config-problems.ts'
import { readConfig, refusal, refuseConfig } from './read-config.ts'

/** Everything that can be wrong with an object and its Secret by themselves. Throws a `CodedError`. */
export const checkInfrastructure = async ({
  object,
  secret,
}: {
  readonly object: Infrastructure
  readonly secret: Secret | undefined
}): Promise<void> => {
  const region = formProblems('spec.region', object.spec.region, formats.region)
  if (region.length > 0) throw refusal(region)
  refuseConfig(configProblems(readConfig(object)))
  if (secret !== undefined) await readCredentials(secret)
}
