import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { Cluster } from '../../../shared/contract/objects.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import {
  type CloudProfileConfig,
  cloudProfileConfigSchema,
  decodeStrictly,
} from '../../../terraform-free-infra/openstack/account/config/config.ts'

/** Returns the provider's config in the CloudProfile of a shoot. Throws a `CodedError` if it is absent or invalid. */
export const cloudProfileConfigOf = ({ spec: { cloudProfile } }: Cluster): CloudProfileConfig => {
  try {
    return decodeStrictly(cloudProfileConfigSchema, Object(cloudProfile.spec).providerConfig)
  } catch (error) {
    throw configurationProblem(
      `could not decode providerConfig of cloudProfile ${JSON.stringify(Object(cloudProfile.metadata).name ?? '')}: ${messageOf(error)}`,
      error,
    )
  }
}
