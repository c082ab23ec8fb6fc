import type { ProviderImages } from '../../../../shared/webhooks/garden/garden.ts'
import {
  type CloudProfileConfig,
  cloudProfileConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'

/** The images of AWS in a profile. */
export const awsImages: ProviderImages<CloudProfileConfig> = {
  words: { one: 'an AMI', bare: 'AMI', several: 'AMIs' },
  decode: value => decodeStrictly(cloudProfileConfigSchema, value),
  idField: 'ami',
}
