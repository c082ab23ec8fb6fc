import { messageOf } from '../../../text/message-of.ts'
import type { ImagesConfig, ProviderImages } from './provider-images.ts'

type DecodedProfileConfig<C> =
  | { readonly ok: true; readonly config: C }
  | { readonly ok: false; readonly message: string }

/** Decodes a `providerConfig` of a profile. @param what its owner, for the message: `spec of CloudProfile "aws"` */
export const decodeProfileConfig = <C extends ImagesConfig>(
  { decode }: Pick<ProviderImages<C>, 'decode'>,
  value: unknown,
  what: string,
): DecodedProfileConfig<C> => {
  try {
    return { ok: true, config: decode(value) }
  } catch (error) {
    return { ok: false, message: `could not decode providerConfig of ${what}: ${messageOf(error)}` }
  }
}
