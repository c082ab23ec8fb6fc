import { messageOf } from '../../shared/text/message-of.ts'
import { type Regctl, registryProblem } from '../images/images.ts'

/**
 * Checks that a registry accepts uploads, before minutes of building. Uploads the empty blob, which a registry removes
 * later. Throws an Error with one line of advice otherwise.
 */
export const checkRegistry = async (regctl: Regctl, registry: string): Promise<void> => {
  const repository = `${registry}/bridge`
  await regctl('blob', 'put', repository).catch(cause => {
    throw new Error(registryProblem(repository, messageOf(cause)), { cause })
  })
}
