import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import { readCredentials } from '../../../../terraform-free-infra/aws/account/credentials/read-credentials.ts'

export { roleArnOf } from '../../../../terraform-free-infra/aws/account/credentials/read-credentials.ts'

/** Throws a `CodedError` when a Secret holds no credentials that can be used for S3. */
export const checkSecret = async (secret: Secret): Promise<void> => {
  await readCredentials(secret)
}
