import { messageOf } from '../../../../shared/text/message-of.ts'
import {
  type CloudProfileConfig,
  cloudProfileConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'

type DecodedProfileConfig =
  | { readonly ok: true; readonly config: CloudProfileConfig }
  | { readonly ok: false; readonly message: string }

/** Decodes a `providerConfig` of a profile. @param what its owner, for the message: `spec of CloudProfile "aws"` */
export const decodeProfileConfig = (value: unknown, what: string): DecodedProfileConfig => {
  try {
    return { ok: true, config: decodeStrictly(cloudProfileConfigSchema, value) }
  } catch (error) {
    return { ok: false, message: `could not decode providerConfig of ${what}: ${messageOf(error)}` }
  }
}
